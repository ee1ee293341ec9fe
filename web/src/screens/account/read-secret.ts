/** The secret of an "otpauth:" address, as it is and as people type it: in groups of four. */
export function readSecret(totpUri: string): { readonly plain: string; readonly grouped: string } {
  const plain = new URL(totpUri).searchParams.get('secret') ?? ''
  return { plain, grouped: (plain.match(/.{1,4}/g) ?? []).join(' ') }
}
