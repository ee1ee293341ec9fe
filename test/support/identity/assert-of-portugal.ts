import assert from 'node:assert/strict'

/** Words that Portugal does not use, or not for this. */
const BRAZILIAN =
  /(?<!\p{L})(você|senha|aplicativos?|links?|registrad[oa]s?|encerrad[oa]s?|excluíd[oa]s?|conectad[oa]s?|celular|tela|usuários?|arquivos?|digite|cadastr\p{L}+|salvar)(?!\p{L})/iu

/** Our Portuguese is that of Portugal. */
export function assertOfPortugal(text: string, what: string): void {
  assert.doesNotMatch(text, BRAZILIAN, what)
}
