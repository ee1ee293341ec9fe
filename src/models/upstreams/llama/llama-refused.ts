/** A model file cannot be run here, and a person must mend it. */
export class LlamaRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LlamaRefused'
  }
}
