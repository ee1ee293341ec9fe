import { formatEuros, type NanoEuro } from '#platform/money.ts'
import type { Mail } from '#platform/mail/index.ts'
import type { Crossing, Looked } from './find-crossings.ts'

export interface Alert {
  readonly to: string
  /** Where the mail says that it comes from. */
  readonly issuer: string
  readonly looked: Looked
  /** Those of one kind: the highest level is told. */
  readonly crossings: readonly Crossing[]
}

interface Words {
  readonly subject: string
  readonly text: string
}

/** Which language its person reads is not known here: a mail has both, and is short. */
export function writeAlert({ to, issuer, looked, crossings }: Alert): Mail {
  const [english, portuguese] = writeWords(looked, crossings)
  const footer = [
    `This mail comes from ${issuer}. You get it once each time.`,
    `Este e-mail vem de ${issuer}. É enviado uma só vez de cada vez.`,
  ].join('\n')
  return {
    to,
    subject: `${english.subject} / ${portuguese.subject}`,
    text: ['Hello,', english.text, '* * *', 'Olá,', portuguese.text, `-- \n${footer}`].join('\n\n'),
  }
}

function writeWords(looked: Looked, crossings: readonly Crossing[]): readonly [Words, Words] {
  const level = Math.max(...crossings.map((crossing) => crossing.level))
  const isLow = crossings.some(({ kind }) => kind === 'low_balance')
  return isLow ? describeLowBalance(looked, level) : describeCeiling(looked, level)
}

function describeLowBalance(
  { accountId, course }: Looked,
  threshold: number,
): readonly [Words, Words] {
  const left = writeCents(course.balance)
  const below = writeCents(threshold)
  return [
    {
      subject: `Your Parley balance is low: ${left} €`,
      text: `the balance of your Parley account ${accountId} has fallen below ${below} €: it is ${left} € now. When nothing is left, requests are refused. Pay money in to go on.`,
    },
    {
      subject: `O seu saldo na Parley está baixo: ${withComma(left)} €`,
      text: `o saldo da sua conta ${accountId} na Parley ficou abaixo de ${withComma(below)} €: agora é de ${withComma(left)} €. Quando acabar, os pedidos serão recusados. Adicione saldo para continuar.`,
    },
  ]
}

function describeCeiling({ accountId, course, ceiling }: Looked, level: number) {
  const [spent, most] = [writeCents(course.spent), writeCents(ceiling ?? 0)]
  const barred = level >= 100
  const english = `your Parley account ${accountId} has spent ${spent} € of the ${most} € that it may spend today.`
  const portuguese = `a sua conta ${accountId} na Parley gastou ${withComma(spent)} € dos ${withComma(most)} € que pode gastar hoje.`
  return [
    {
      subject: `Your Parley daily ceiling: ${level} % spent`,
      text: barred
        ? `${english} Requests are refused until midnight UTC.`
        : `${english} When all of it is spent, requests are refused until midnight UTC.`,
    },
    {
      subject: `O seu limite diário na Parley: ${level} % gasto`,
      text: barred
        ? `${portuguese} Os pedidos são recusados até a meia-noite UTC.`
        : `${portuguese} Quando tudo for gasto, os pedidos serão recusados até a meia-noite UTC.`,
    },
  ] as const
}

const NANO_PER_CENT = 10_000_000

/** Whole cents, rounded down: what is below a threshold must not look as if it were not. */
function writeCents(amount: number): string {
  return formatEuros((Math.floor(amount / NANO_PER_CENT) * NANO_PER_CENT) as NanoEuro)
}

function withComma(euros: string): string {
  return euros.replace('.', ',')
}
