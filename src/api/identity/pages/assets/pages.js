// Comforts, and passkeys. Every page does without this file, passkeys apart.

for (const button of document.querySelectorAll('[data-reveal]')) prepareReveal(button)
for (const part of document.querySelectorAll('[data-passkey]')) preparePasskey(part)
for (const button of document.querySelectorAll('[data-print]')) preparePrint(button)

function prepareReveal(button) {
  const { reveal, show, hide, shown, hidden } = button.dataset
  const field = document.getElementById(reveal)
  const status = document.querySelector(`[data-reveal-status="${reveal}"]`)
  const set = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.textContent = isShown ? hide : show
    button.setAttribute(
      'aria-label',
      button.getAttribute('aria-label').replace(isShown ? show : hide, isShown ? hide : show),
    )
  }
  button.hidden = false
  button.addEventListener('click', () => {
    const isShown = field.type === 'password'
    set(isShown)
    status.textContent = isShown ? shown : hidden
  })
  // Browsers keep what is in fields of text for the next form.
  field.form.addEventListener('submit', () => set(false))
}

function preparePrint(button) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

function preparePasskey(part) {
  const { PublicKeyCredential } = globalThis
  if (!PublicKeyCredential?.parseRequestOptionsFromJSON || isAddress(location.hostname)) return
  const button = part.querySelector('button')
  const status = part.querySelector('[role="status"]')
  const { passkey, next, failed, cancelled, stale, waiting } = part.dataset
  const run = passkey === 'add' ? addPasskey : signInWithPasskey
  part.hidden = false
  button.addEventListener('click', async () => {
    status.textContent = waiting
    button.setAttribute('aria-disabled', 'true')
    try {
      await run({})
      location.assign(next)
    } catch (error) {
      status.textContent = describe(error)
      button.removeAttribute('aria-disabled')
    }
  })
  if (passkey === 'sign-in') {
    // Nobody asked for it: what the browser makes of it is told only where we refused what was chosen.
    offerInField(next).catch((error) => {
      status.textContent = error instanceof DOMException ? '' : failed
    })
  }

  function describe(error) {
    if (isGivenUp(error)) return cancelled
    return error.message === 'SESSION_NOT_FRESH' ? stale : failed
  }
}

/** A passkey is for a name: a service at a bare address of a machine can have none (WebAuthn, 5.1.2). */
function isAddress(hostname) {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}

function isGivenUp({ name }) {
  return name === 'NotAllowedError' || name === 'AbortError'
}

let offered

/** Passkeys among what the browser offers to fill the first field with. */
async function offerInField(next) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  offered = new AbortController()
  await signInWithPasskey({ mediation: 'conditional', signal: offered.signal })
  location.assign(next)
}

async function signInWithPasskey({ mediation, signal }) {
  if (mediation === undefined) offered?.abort()
  const options = await ask('/api/auth/passkey/generate-authenticate-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, mediation, signal })
  await ask('/api/auth/passkey/verify-authentication', { response: credential.toJSON() })
}

async function addPasskey() {
  const options = await ask('/api/auth/passkey/generate-register-options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  await ask('/api/auth/passkey/verify-registration', { response: credential.toJSON() })
}

async function ask(path, body) {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(path, init)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.code ?? `${response.status}`)
  return answer
}
