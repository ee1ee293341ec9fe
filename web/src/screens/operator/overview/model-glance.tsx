import { useQuery } from '@tanstack/react-query'
import { writeCount } from '../../../format/figures.ts'
import { Card } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { modelStatesQuery, type ModelState } from '../model-queries.ts'
import { Tag } from '../tag.tsx'
import { overviewWords } from './words.ts'

/** Which brands are on, and whether their upstreams are well. */
export function ModelGlance() {
  const words = useWords(overviewWords)
  const states = useQuery(modelStatesQuery)
  return (
    <Card
      title={words.models}
      aside={<TextLink to="/console/operator/models">{words.modelsLink}</TextLink>}
    >
      <Loaded query={states} lines={4}>
        {({ data }) => (
          <ul className="flex flex-col divide-y divide-line">
            {data.map((model) => (
              <ModelLine key={model.brand} model={model} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function ModelLine({ model: { id, enabled, upstreams } }: { readonly model: ModelState }) {
  const words = useWords(overviewWords)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 first:pt-0 last:pb-0">
      <span className="font-medium wrap-anywhere">{id}</span>
      <span className="flex flex-wrap items-center gap-3">
        <Wellness upstreams={upstreams} />
        <Tag kind={enabled ? 'good' : 'warn'}>{enabled ? words.on : words.off}</Tag>
      </span>
    </li>
  )
}

function Wellness({ upstreams }: Pick<ModelState, 'upstreams'>) {
  const words = useWords(overviewWords)
  const { locale } = useSpeech()
  const all = upstreams.length
  if (all === 0) return <span className="text-warn">{words.noUpstreams}</span>
  const well = upstreams.filter(({ circuit }) => circuit === 'closed').length
  const text = words.upstreams(writeCount(well, locale), writeCount(all, locale))
  return <span className={well === all ? 'text-soft' : 'text-danger'}>{text}</span>
}
