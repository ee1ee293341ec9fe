/**
 * Counts the tokens of a text that arrives in pieces, without a tokenizer: `tokens` is the same
 * however the text is cut, never falls, and is 0 for no text.
 */
export interface TokenCounter {
  add(text: string): void
  readonly tokens: number
}

export function createTokenCounter(): TokenCounter {
  let state = START_STATE
  let milliTokens = 0
  return {
    add(text) {
      let at = state
      let sum = 0
      for (let index = 0; index < text.length; index++) {
        // `as number`: the tables answer every char code and every state, so no entry is missing.
        const step = STEPS[at + (KIND_OF_CODE[text.charCodeAt(index)] as number)] as number
        sum += step >>> STATE_BITS
        at = step & STATE_MASK
      }
      state = at
      milliTokens += sum
    },
    get tokens() {
      return Math.ceil(milliTokens / 1000)
    },
  }
}

/** The tokens of one whole text, as `createTokenCounter` counts them. */
export function countTokens(text: string): number {
  const counter = createTokenCounter()
  counter.add(text)
  return counter.tokens
}

/**
 * Byte-pair tokenizers first cut a text into pieces: a word with the one space or mark before it,
 * up to three digits, a run of marks with the line break behind it, a run of blanks. Common pieces
 * are one token; the rest are cut further, the longer the finer. So a char's cost follows from its
 * kind, the kind of run it meets, and how long that run is already.
 *
 * The figures are milli-tokens, integers so that sums do not depend on how a text was cut. They
 * come from averaging what o200k_base makes of such runs in books and manuals of a dozen languages,
 * in code, JSON and logs; then they were fitted to whole samples of these so that the mean error is
 * about +8 % and few samples fall below 0. `bench/estimate` prints the errors on its own corpus.
 *
 * A list holds the cost of the first, second, third… char of a run; its last entry goes on.
 */
const COSTS = {
  /**
   * Small letters after a space: most such words of up to seven letters are one token. Past sixteen
   * it is hardly a word; random letters are a token for every two.
   */
  spacedWord: [1000, 0, 20, 30, 50, 120, 100, 100, 100, 100, 100, 150, 250, 250, 250, 250, 500],
  /** Small letters elsewhere (a line's start, after marks or a capital): one token less often. */
  bareWord: [950, 10, 20, 50, 120, 50, 50, 80, 150, 200, 350, 350, 350, 350, 350, 350, 500],
  /** Capitals in a row; a small letter after the first goes on with the word at no cost. */
  capitals: [1000, 30, 50, 150, 300, 300, 300, 300, 300, 300, 500],
  /** Where a run of several capitals meets small letters: `HTTPServer`. */
  smallAfterCapitals: 1000,
  /** On top of its place in the word: accents mark languages whose words are cut more often. */
  accent: 900,
  /** The same for letters beyond Latin-1 (Polish, Czech, Turkish), and for Vietnamese ones. */
  extendedAccent: 1100,
  vietnameseAccent: 350,
  /** A word right behind a lone mark, as in `.length`: often one token with the mark. */
  smallAfterLoneMark: 350,
  capitalAfterLoneMark: 550,
  /** The apostrophe of `don't`, and closing a quoted word. */
  apostropheAfterLetter: 350,
  /** Three digits are one token; the fourth begins another. */
  digits: [1050, 0, 0],
  /** A lone space goes with the word or mark behind it, but not with a digit. */
  spaces: [0, 850, 0, 0, 0, 0, 0, 0, 20],
  digitAfterSpace: 1100,
  newlines: [1000, 150, 300],
  /** A line break goes with the mark before it, as in `{` or `.` at a line's end. */
  newlineAfterMark: 250,
  marks: [1050, 0, 80, 400, 500],
  /** Marks that people draw lines with. */
  rulers: [1050, 30, 200, 200, 50],
  /** Typographic quotes, dashes, currency signs, arrows, box drawing. */
  symbols: [1050, 500],
  /** Scripts are named for the chief one among those that cost about the same. */
  cyrillic: [900, 50, 120, 250],
  arabic: [900, 120, 250, 320],
  indic: [900, 250, 350],
  kana: [1050, 650],
  han: [1050, 870],
  hangul: [1050, 750],
  /** The full-width marks between these. */
  wideMark: 950,
  /** What UTF-16 writes as two surrogates; most of the cost is on the first. */
  emoji: 1300,
  highSurrogate: 2300,
  lowSurrogate: 500,
  /** Anything else: letters no tokenizer learned well, controls, private use. */
  rare: 2000,
}

const KINDS = [
  'rare',
  'lower',
  'upper',
  'accented',
  'extendedAccented',
  'vietnamese',
  'digit',
  'space',
  'newline',
  'mark',
  'apostrophe',
  'ruler',
  'symbol',
  'cyrillic',
  'arabic',
  'indic',
  'kana',
  'han',
  'hangul',
  'wideMark',
  'emoji',
  'highSurrogate',
  'lowSurrogate',
] as const
type Kind = (typeof KINDS)[number]
const KIND_COUNT = KINDS.length

/** First and last char code of each kind; later rows overrule earlier ones, the rest are rare. */
const KIND_RANGES: readonly (readonly [from: number, to: number, kind: Kind])[] = [
  [0x21, 0x7e, 'mark'],
  [0x30, 0x39, 'digit'],
  [0x41, 0x5a, 'upper'],
  [0x61, 0x7a, 'lower'],
  [0x09, 0x09, 'space'],
  [0x20, 0x20, 'space'],
  [0xa0, 0xa0, 'space'],
  [0x0a, 0x0a, 'newline'],
  [0x0d, 0x0d, 'newline'],
  [0x27, 0x27, 'apostrophe'],
  [0x23, 0x23, 'ruler'],
  [0x2a, 0x2a, 'ruler'],
  [0x2d, 0x2f, 'ruler'],
  [0x3d, 0x3d, 'ruler'],
  [0x5f, 0x5f, 'ruler'],
  [0x7e, 0x7e, 'ruler'],
  [0xa1, 0xbf, 'symbol'],
  [0xc0, 0xff, 'accented'],
  [0x100, 0x24f, 'extendedAccented'],
  [0x300, 0x36f, 'accented'],
  [0x370, 0x58f, 'cyrillic'],
  [0x590, 0x8ff, 'arabic'],
  [0x900, 0x10ff, 'indic'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1e00, 0x1eff, 'vietnamese'],
  [0x2000, 0x2bff, 'symbol'],
  [0x2019, 0x2019, 'mark'],
  [0x3000, 0x303f, 'wideMark'],
  [0x3040, 0x30ff, 'kana'],
  [0x3130, 0x318f, 'hangul'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xd800, 0xdbff, 'highSurrogate'],
  [0xd83c, 0xd83e, 'emoji'],
  [0xdc00, 0xdfff, 'lowSurrogate'],
  [0xff00, 0xffef, 'wideMark'],
]

const MODES = [
  'start',
  'spacedWord',
  'bareWord',
  'capitals',
  'digits',
  'spaces',
  'newlines',
  'marks',
  'spacedMarks',
  'symbols',
  'cyrillic',
  'arabic',
  'indic',
  'kana',
  'han',
  'hangul',
] as const
type Mode = (typeof MODES)[number]

/** The run the counter is in, and how many chars of it have passed. */
interface Run {
  readonly mode: Mode
  readonly length: number
}
interface Step {
  readonly to: Run
  readonly cost: number
}

/** As long as the longest list of costs: beyond it runs need not be told apart. */
const LONGEST_RUN = 17
const START_STATE = 0
/** A step's entry is its cost, and in so many low bits the state that it leads to. */
const STATE_BITS = 16
const STATE_MASK = 0xffff

const KIND_OF_CODE = listKinds()
const STEPS = compileSteps()

function listKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  for (const [from, to, kind] of KIND_RANGES) kinds.fill(KINDS.indexOf(kind), from, to + 1)
  return kinds
}

/** Works the rules below out for every run and kind, so that counting a char is two look-ups. */
function compileSteps(): Uint32Array {
  // `as Mode` and `as Kind`: the loop ends where the last mode and kind do.
  const size = MODES.length * (LONGEST_RUN + 1) * KIND_COUNT
  const steps = new Uint32Array(size)
  for (let step = 0; step < size; step++) {
    const state = Math.floor(step / KIND_COUNT)
    const mode = MODES[Math.floor(state / (LONGEST_RUN + 1))] as Mode
    const run = { mode, length: state % (LONGEST_RUN + 1) }
    const { to, cost } = takeStep(run, KINDS[step % KIND_COUNT] as Kind)
    const next = MODES.indexOf(to.mode) * (LONGEST_RUN + 1) + Math.min(to.length, LONGEST_RUN)
    steps[step] = (cost << STATE_BITS) | (next * KIND_COUNT)
  }
  return steps
}

function takeStep(run: Run, kind: Kind): Step {
  switch (kind) {
    case 'lower':
      return takeSmallLetter(run)
    case 'upper':
      return takeCapital(run)
    case 'accented':
      return takeAccented(run, COSTS.accent)
    case 'extendedAccented':
      return takeAccented(run, COSTS.extendedAccent)
    case 'vietnamese':
      return takeAccented(run, COSTS.vietnameseAccent)
    case 'digit':
      return takeDigit(run)
    case 'space':
      return extendRun(run, 'spaces', COSTS.spaces)
    case 'newline':
      return takeNewline(run)
    case 'mark':
      return takeMark(run, COSTS.marks)
    case 'apostrophe':
      return takeApostrophe(run)
    case 'ruler':
      return takeMark(run, COSTS.rulers)
    case 'symbol':
      return extendRun(run, 'symbols', COSTS.symbols)
    case 'cyrillic':
    case 'arabic':
    case 'indic':
    case 'kana':
    case 'han':
    case 'hangul':
      return extendRun(run, kind, COSTS[kind])
    case 'wideMark':
    case 'emoji':
    case 'highSurrogate':
    case 'lowSurrogate':
    case 'rare':
      return { to: { mode: 'start', length: 0 }, cost: COSTS[kind] }
  }
}

function extendRun(run: Run, mode: Mode, costs: readonly number[]): Step {
  const length = run.mode === mode ? run.length + 1 : 1
  return { to: { mode, length }, cost: costOfPlace(costs, length) }
}

function costOfPlace(costs: readonly number[], place: number): number {
  // `as number`: no list of costs is empty, and places count from one.
  return costs[Math.min(place, costs.length) - 1] as number
}

function takeSmallLetter(run: Run): Step {
  const { mode, length } = run
  if (mode === 'spacedWord') return extendRun(run, mode, COSTS.spacedWord)
  if (mode === 'spaces' || mode === 'start') return extendRun(run, 'spacedWord', COSTS.spacedWord)
  if (mode === 'capitals') {
    if (length > 1) return { to: { mode: 'bareWord', length: 1 }, cost: COSTS.smallAfterCapitals }
    return { to: { mode: 'bareWord', length: 2 }, cost: costOfPlace(COSTS.bareWord, 2) }
  }
  if (followsLoneMark(run)) {
    return { to: { mode: 'bareWord', length: 1 }, cost: COSTS.smallAfterLoneMark }
  }
  return extendRun(run, 'bareWord', COSTS.bareWord)
}

function followsLoneMark({ mode, length }: Run): boolean {
  return mode === 'marks' && length === 1
}

function takeAccented(run: Run, accent: number): Step {
  const { to, cost } = takeSmallLetter(run)
  return { to, cost: cost + accent }
}

function takeCapital(run: Run): Step {
  if (followsLoneMark(run)) {
    return { to: { mode: 'capitals', length: 1 }, cost: COSTS.capitalAfterLoneMark }
  }
  return extendRun(run, 'capitals', COSTS.capitals)
}

function takeDigit(run: Run): Step {
  const { mode, length } = run
  if (mode === 'digits' && length === COSTS.digits.length) {
    return extendRun({ mode, length: 0 }, mode, COSTS.digits)
  }
  const { to, cost } = extendRun(run, 'digits', COSTS.digits)
  return { to, cost: mode === 'spaces' ? cost + COSTS.digitAfterSpace : cost }
}

function takeNewline(run: Run): Step {
  if (run.mode === 'marks' || run.mode === 'spacedMarks') {
    return { to: { mode: 'newlines', length: 1 }, cost: COSTS.newlineAfterMark }
  }
  return extendRun(run, 'newlines', COSTS.newlines)
}

function takeMark(run: Run, costs: readonly number[]): Step {
  const spaced = run.mode === 'spaces' || run.mode === 'spacedMarks'
  return extendRun(run, spaced ? 'spacedMarks' : 'marks', costs)
}

function takeApostrophe(run: Run): Step {
  const { to, cost } = takeMark(run, COSTS.marks)
  const followsLetter = run.mode === 'spacedWord' || run.mode === 'bareWord'
  return { to, cost: followsLetter ? COSTS.apostropheAfterLetter : cost }
}
