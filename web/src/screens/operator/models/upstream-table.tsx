import { writeCount } from '../../../format/figures.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import type { NoticeKind } from '../../../parts/notice.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { Moment } from '../moment.tsx'
import type { UpstreamState } from '../model-queries.ts'
import { Tag } from '../tag.tsx'
import { modelsWords } from './words.ts'

const CIRCUIT_KINDS: Readonly<Record<UpstreamState['circuit'], NoticeKind>> = {
  closed: 'good',
  open: 'danger',
  half_open: 'warn',
}

export function UpstreamTable({
  brand,
  upstreams,
}: {
  readonly brand: string
  readonly upstreams: readonly UpstreamState[]
}) {
  const words = useWords(modelsWords)
  const { locale } = useSpeech()
  const firstToken = (ms: number | null) =>
    ms === null ? '–' : words.milliseconds(writeCount(ms, locale))
  return (
    <DataTable
      caption={words.upstreams(brand)}
      rows={upstreams}
      keyOf={({ name }) => name}
      columns={[
        { title: words.upstream, cell: (upstream) => <UpstreamName upstream={upstream} /> },
        { title: words.circuit, cell: ({ circuit }) => <Circuit state={circuit} /> },
        {
          title: words.requests,
          isFigure: true,
          cell: ({ requests }) => writeCount(requests, locale),
        },
        {
          title: words.failures,
          isFigure: true,
          cell: ({ failures }) => writeCount(failures, locale),
        },
        {
          title: words.firstToken,
          isFigure: true,
          cell: ({ first_token_ms: ms }) => firstToken(ms),
        },
        {
          title: words.lastFailure,
          cell: ({ last_failure: failure }) => <LastFailure failure={failure} />,
        },
      ]}
    />
  )
}

function UpstreamName({ upstream: { name, kind } }: { readonly upstream: UpstreamState }) {
  return (
    <div className="min-w-28">
      <p className="wrap-anywhere font-medium">{name}</p>
      {name !== kind && <p className="text-soft">{kind}</p>}
    </div>
  )
}

export function Circuit({ state }: { readonly state: UpstreamState['circuit'] }) {
  const words = useWords(modelsWords)
  return (
    <div className="flex flex-col items-start gap-0.5">
      <Tag kind={CIRCUIT_KINDS[state]}>{words.circuits[state]}</Tag>
      <p className="text-soft">{words.circuitMeanings[state]}</p>
    </div>
  )
}

function LastFailure({ failure }: { readonly failure: UpstreamState['last_failure'] }) {
  const words = useWords(modelsWords)
  if (failure === null) return <span className="text-soft">{words.never}</span>
  const kinds: Readonly<Record<string, string>> = words.failureKinds
  return (
    <>
      <p className="min-w-32">{kinds[failure.kind] ?? failure.kind}</p>
      <p className="text-soft">
        <Moment at={failure.at} />
      </p>
    </>
  )
}
