import { defineWords } from '../../words/define-words.ts'

/** What a request says besides its messages, and how it looks as code. */
export const settingsWords = defineWords({
  en: {
    title: 'Request',
    model: 'Model',
    off: (brand: string) => `${brand} (switched off)`,
    perMillion: (input: string, output: string) => `${input} in, ${output} out, for 1M tokens`,
    system: 'System prompt',
    systemHint: 'The service puts its own identity before it.',
    temperature: 'Temperature',
    temperatureHint: '0 to 2. Lower is more deterministic.',
    temperatureProblem: 'Give a number from 0 to 2, or nothing.',
    maxTokens: 'Max tokens',
    maxTokensHint: (most: string) => `At most ${most}, which it is when left out.`,
    maxTokensProblem: 'Give a whole number of at least 1, or nothing.',
    tools: 'Tools',
    toolsHint:
      'A JSON list of functions: name, description, parameters. You give their results by hand.',
    noTools: (brand: string) => `${brand} takes no tools.`,
    insertExample: 'Insert an example',
    toolsProblems: {
      noJson: 'This is not JSON.',
      noList: 'Give a list: [ … ].',
      noName: 'Each function needs a name.',
    },
    atMost: 'The reply costs at most',
    atMostText: (tokens: string, price: string) =>
      `for ${tokens} tokens. What you send comes on top, at ${price} for 1M tokens. While the reply comes, both are held.`,
    code: 'Code',
    codeIntro: 'The request as it is now, with your key from the environment.',
    language: 'Language',
    languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  },
  pt: {
    title: 'Pedido',
    model: 'Modelo',
    off: (brand) => `${brand} (desligado)`,
    perMillion: (input, output) => `${input} de entrada, ${output} de saída, por 1M de tokens`,
    system: 'Instruções de sistema',
    systemHint: 'O serviço põe a sua própria identidade antes delas.',
    temperature: 'Temperatura',
    temperatureHint: 'De 0 a 2. Mais baixa é mais determinística.',
    temperatureProblem: 'Indique um número de 0 a 2, ou nada.',
    maxTokens: 'Máximo de tokens',
    maxTokensHint: (most) => `No máximo ${most}, que é o valor se ficar em branco.`,
    maxTokensProblem: 'Indique um número inteiro a partir de 1, ou nada.',
    tools: 'Ferramentas',
    toolsHint:
      'Uma lista JSON de funções: name, description, parameters. Os resultados são dados à mão.',
    noTools: (brand) => `${brand} não aceita ferramentas.`,
    insertExample: 'Inserir um exemplo',
    toolsProblems: {
      noJson: 'Isto não é JSON.',
      noList: 'Indique uma lista: [ … ].',
      noName: 'Cada função precisa de um nome (name).',
    },
    atMost: 'A resposta custa no máximo',
    atMostText: (tokens, price) =>
      `por ${tokens} tokens. Acresce o que envia, a ${price} por 1M de tokens. Enquanto a resposta chega, ambos ficam reservados.`,
    code: 'Código',
    codeIntro: 'O pedido tal como está agora, com a sua chave vinda do ambiente.',
    language: 'Linguagem',
    languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  },
})
