/** Cells of the tables, each whole; what is not here is a figure or a name. */
const CELLS: Readonly<Record<string, string>> = {
  reply: 'resposta',
  'reply, ms': 'resposta, ms',
  'at once': 'ao mesmo tempo',
  'direct/s': 'direto/s',
  'direct p50': 'direto p50',
  spread: 'variação',
  share: 'parte',
  'CPU ms each': 'CPU em ms, cada',
  core: 'núcleo',
  'first byte p50': 'primeiro byte p50',
  'added by Parley, one at a time, ms': 'acrescentado pelo Parley, um de cada vez, ms',
  'to the first byte, p50': 'até ao primeiro byte, p50',
  'the process': 'o processo',
  'start to listening, new store': 'do arranque até escutar, base de dados nova',
  'start to listening, known store': 'do arranque até escutar, base de dados existente',
  'charges/s': 'cobranças/s',
  'in a commit': 'num commit',
  accounts: 'contas',
  'admitted and settled/s': 'admitidos e acertados/s',
  each: 'cada',
  sample: 'amostra',
  real: 'real',
  estimate: 'estimativa',
  error: 'erro',
  category: 'categoria',
  samples: 'amostras',
  mean: 'média',
  worst: 'pior',
  chinese: 'chinês',
  code: 'código',
  japanese: 'japonês',
  korean: 'coreano',
  logs: 'registos',
  portuguese: 'português',
  prose: 'prosa',
  russian: 'russo',
  direct: 'direto',
  'null proxy': 'relé vazio',
  'replies a second': 'respostas por segundo',
  'Parley, SQLite: times as many replies': 'Parley, SQLite: quantas vezes mais respostas',
  'CPU µs each': 'CPU em µs, cada',
  'added p50 / p99, ms': 'acrescentado p50 / p99, ms',
  'added to the first byte p50, ms': 'acrescentado até ao primeiro byte p50, ms',
  'a chunk on its way p50 / p99, ms': 'uma parte a caminho p50 / p99, ms',
  'resident, MiB': 'memória residente, MiB',
  'start to first answer': 'do arranque à primeira resposta',
  'a burst of 200, funds for 50': 'um pico de 200, fundos para 50',
  'killed midway, started again': 'morto a meio, arrancado de novo',
  'clients leave midway': 'os clientes saem a meio',
  'the upstream breaks off': 'o fornecedor interrompe',
  ended: 'terminadas',
  'cut off': 'cortadas',
  refused: 'recusadas',
  'ended, tokens unbilled': 'terminadas, tokens por cobrar',
  'cut off, tokens unbilled': 'cortadas, tokens por cobrar',
  'billed, not received': 'cobrados, não recebidos',
  'sent, not received': 'enviados, não recebidos',
  'charged twice': 'cobradas duas vezes',
  'overspent, €': 'gasto a mais, €',
  'taken beyond bills, €': 'tirado além das contas, €',
  'Parley, 2 replicas': 'Parley, 2 réplicas',
  'LiteLLM, in memory': 'LiteLLM, em memória',
}

/** Headings and sentences: what stands around their figures. */
const SENTENCES: readonly (readonly [english: string, portuguese: string])[] = [
  ['### chat: direct and through Parley', '### chat: direto e através do Parley'],
  ['### charge: durable charges', '### charge: cobranças gravadas'],
  ['### gate: admissions in memory', '### gate: admissões em memória'],
  ['### estimate: tokens of a prompt', '### estimate: tokens de uma entrada'],
  ['Made on ', 'Feito em '],
  [' by `npm run bench', ' por `npm run bench'],
  ['`: medians over ', '`: medianas de '],
  [' rounds of ', ' rondas de '],
  [
    ', with half their range as ± or the range in brackets',
    ', com metade da sua amplitude como ±, ou a amplitude entre parênteses',
  ],
  [' cores, ', ' núcleos, '],
  ['the service on core ', 'o serviço no núcleo '],
  ['everything else on core ', 'tudo o resto no núcleo '],
  ['no process pinned to a core', 'nenhum processo preso a um núcleo'],
  ['one fsync takes ', 'um fsync demora '],
  ['the load before the start was ', 'a carga antes do início era '],
  ['Resident at the end: ', 'Memória residente no fim: '],
  [' requests of ', ' pedidos de '],
  [
    ' accounts were answered and charged; each reply was checked, and the books agree with them to the nano-euro.',
    ' contas foram respondidos e cobrados; cada resposta foi verificada, e os livros concordam com elas ao nano-euro.',
  ],
  [
    "A message to the store's thread and back takes ",
    'Uma mensagem à thread da base de dados e de volta demora ',
  ],
  [' (p50), one fsync ', ' (p50), um fsync '],
  [": the rest of a charge is SQLite's.", ': o resto de uma cobrança é do SQLite.'],
  [
    'One account after the other, on one thread, no store behind it.',
    'Uma conta após outra, numa thread, sem base de dados por trás.',
  ],
  [
    "The real count is of OpenAI's o200k; the promise is ±25 % on each.",
    'A contagem real é a do o200k da OpenAI; a promessa é ±25 % em cada uma.',
  ],
  ['Counting runs at ', 'A contagem corre a '],
  ['### peers: the same load through each', '### peers: a mesma carga através de cada um'],
  [' was not run: ', ' não foi executado: '],
  [': no figures, for ', ': sem números, porque '],
  [
    '### money: what is lost when things go wrong',
    '### money: o que se perde quando algo corre mal',
  ],
  ['Medians of ', 'Medianas de '],
  [
    ' runs, each with new funds. The upstream sent every token by itself and wrote down that it did.',
    ' execuções, cada uma com fundos novos. O fornecedor enviou cada token por si e anotou que o fez.',
  ],
]

/** Of 1.5, and not of a name such as v24.21.0 or p99.9. */
const DECIMAL_POINT = /(?<![\w.])(\d+)\.(\d+)(?![\d.]*\.\d)/g

/** The figures of the page of performance as its Portuguese twin has them. */
export function sayInPortuguese(figures: string): string {
  return figures
    .split('\n')
    .map((line) => (line.startsWith('|') ? sayRow(line) : saySentence(line)))
    .join('\n')
}

function sayRow(row: string): string {
  return row
    .split('|')
    .map((cell) => {
      const word = cell.trim()
      const said = Object.hasOwn(CELLS, word) ? CELLS[word] : undefined
      return said === undefined ? sayNumbers(cell).replace(' to ', ' a ') : ` ${said} `
    })
    .join('|')
}

function saySentence(line: string): string {
  const said = SENTENCES.reduce(
    (text, [english, portuguese]) => text.replaceAll(english, portuguese),
    line,
  )
  return sayNumbers(said)
}

function sayNumbers(text: string): string {
  return text.replaceAll(DECIMAL_POINT, '$1,$2')
}
