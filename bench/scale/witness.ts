import type { Admission, Hold } from '#gate/index.ts'

/**
 * Holds what gates say against what they may say, knowing nothing else. What it knows to be held is held
 * in truth: it hears of a hold after it is placed, and says that it ends before it does.
 */
export interface Witness {
  saw(account: number, admission: Admission): void
  ends(account: number, hold: Hold): void
  admitted(): number
  /** A sentence for each thing that must not be. */
  problems(): string[]
}

interface Known {
  held: number
  /** How many requests each window had left, as it was told: each figure once. */
  readonly told: Map<number, Set<number>>
}

export function createWitness(balanceOf: (account: number) => number): Witness {
  const accounts = new Map<number, Known>()
  const problems: string[] = []
  let admitted = 0

  function knownOf(account: number): Known {
    const known = accounts.get(account) ?? { held: 0, told: new Map() }
    accounts.set(account, known)
    return known
  }

  function checkCount(account: number, admission: Admission): void {
    if (admission.kind === 'unknown' || admission.kind === 'suspended') {
      problems.push(`account ${account} was told to be ${admission.kind}`)
      return
    }
    const isBeyond = admission.kind === 'refused' && admission.refusal.limit === 'requests'
    const { requestsLeft, resetMs } = admission.allowance
    if (isBeyond) return
    const { told } = knownOf(account)
    const figures = told.get(resetMs) ?? new Set()
    told.set(resetMs, figures)
    if (figures.has(requestsLeft)) {
      problems.push(
        `account ${account}: two requests of a window were told ${requestsLeft} are left`,
      )
    }
    figures.add(requestsLeft)
  }

  function checkRefusal(account: number, admission: Admission): void {
    if (admission.kind !== 'refused' || admission.refusal.limit !== 'balance') return
    const { balance, held, cost } = admission.refusal
    if (balance !== balanceOf(account)) problems.push(`account ${account} was told a wrong balance`)
    if (balance - held >= cost) problems.push(`account ${account} was refused what it could pay`)
  }

  return {
    saw(account, admission) {
      checkCount(account, admission)
      checkRefusal(account, admission)
      if (admission.kind !== 'admitted') return
      admitted += 1
      const known = knownOf(account)
      known.held += admission.hold.cost
      if (known.held > balanceOf(account)) {
        problems.push(`account ${account} holds ${known.held} of ${balanceOf(account)}`)
      }
    },
    ends(account, hold) {
      knownOf(account).held -= hold.cost
    },
    admitted: () => admitted,
    problems() {
      return [...problems, ...findGaps(accounts)]
    },
  }
}

/** Of a window's figures none may be missing: each request was counted, and counted once. */
function findGaps(accounts: ReadonlyMap<number, Known>): string[] {
  const gaps: string[] = []
  for (const [account, { told }] of accounts) {
    for (const figures of told.values()) {
      const [most, least] = [Math.max(...figures), Math.min(...figures)]
      if (most - least + 1 === figures.size) continue
      gaps.push(`account ${account}: of ${most} to ${least} left only ${figures.size} were told`)
    }
  }
  return gaps
}
