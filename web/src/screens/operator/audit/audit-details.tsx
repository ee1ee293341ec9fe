import { useWords } from '../../../words/language.tsx'
import type { AuditEntry } from './audit-list.tsx'
import { auditWords } from './words.ts'

/** What changed, folded: names and figures, as the audit log keeps them. */
export function AuditDetails({ details }: { readonly details: AuditEntry['details'] }) {
  const words = useWords(auditWords)
  const entries = Object.entries(details)
  if (entries.length === 0) return '–'
  return (
    <details className="min-w-40">
      <summary className="min-h-6 text-accent">{words.details}</summary>
      <dl className="mt-1 flex flex-col gap-1 font-mono text-xs">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt className="inline text-soft">{name}: </dt>
            <dd className="inline wrap-anywhere">
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
