/** A model that `parley model install` offers by name. */
export interface Suggestion {
  readonly name: string
  /** On the hub: whose it is, the revision that was looked at, and the file in it. */
  readonly repository: string
  readonly revision: string
  readonly file: string
  readonly sizeBytes: number
  /** In hexadecimal. */
  readonly sha256: string
  /** An SPDX identifier. */
  readonly licence: string
  /** What it was trained for, by its card. */
  readonly contextTokens: number
  readonly goodFor: string
}

/**
 * Small models that call tools and reason, with licences that permit selling what they answer. A revision is a
 * commit: what is downloaded is what was looked at, or nothing.
 *
 * The hub publishes size and SHA-256 of a large file, as its LFS pointer. It was out of reach when this was
 * written: they were taken from public projects that pin the same files, each found alike in at least three.
 * None of the weights was run.
 */
export const SUGGESTIONS: readonly Suggestion[] = [
  {
    name: 'qwen3-0.6b',
    repository: 'Qwen/Qwen3-0.6B-GGUF',
    revision: '23749fefcc72300e3a2ad315e1317431b06b590a',
    file: 'Qwen3-0.6B-Q8_0.gguf',
    sizeBytes: 639_446_688,
    sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    licence: 'Apache-2.0',
    contextTokens: 32_768,
    goodFor: 'a first reply; machines with 2 GB to spare',
  },
  {
    name: 'qwen3-1.7b',
    repository: 'Qwen/Qwen3-1.7B-GGUF',
    revision: '90862c4b9d2787eaed51d12237eafdfe7c5f6077',
    file: 'Qwen3-1.7B-Q8_0.gguf',
    sizeBytes: 1_834_426_016,
    sha256: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    licence: 'Apache-2.0',
    contextTokens: 32_768,
    goodFor: 'short answers, simple tools',
  },
  {
    name: 'smollm3-3b',
    repository: 'ggml-org/SmolLM3-3B-GGUF',
    revision: '4965cb60b150737b68a0408c36aeefb65078f894',
    file: 'SmolLM3-Q4_K_M.gguf',
    sizeBytes: 1_915_305_312,
    sha256: '8334b850b7bd46238c16b0c550df2138f0889bf433809008cc17a8b05761863e',
    licence: 'Apache-2.0',
    contextTokens: 65_536,
    goodFor: 'long prompts; six European languages, Portuguese among them',
  },
  {
    name: 'qwen3-4b',
    repository: 'Qwen/Qwen3-4B-GGUF',
    revision: 'bc640142c66e1fdd12af0bd68f40445458f3869b',
    file: 'Qwen3-4B-Q4_K_M.gguf',
    sizeBytes: 2_497_280_256,
    sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    licence: 'Apache-2.0',
    contextTokens: 32_768,
    goodFor: 'the best answers of these, several tools in a row; needs patience on few cores',
  },
]
