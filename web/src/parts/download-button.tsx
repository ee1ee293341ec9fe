import { useState } from 'react'
import { saveFile } from '../format/save-file.ts'
import { Button } from './button.tsx'
import { ProblemNote } from './states.tsx'

/** Keeps a table as a file. What has to be asked for first is asked for when it is pressed. */
export function DownloadButton({
  label,
  fileName,
  write,
}: {
  readonly label: string
  readonly fileName: string
  readonly write: () => string | Promise<string>
}) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<Error>()
  async function download(): Promise<void> {
    setIsBusy(true)
    setProblem(undefined)
    try {
      saveFile(new Blob([await write()], { type: 'text/csv;charset=utf-8' }), fileName)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <Button kind="second" busy={isBusy} onClick={() => void download()}>
        {label}
      </Button>
      {problem && <ProblemNote problem={problem} />}
    </div>
  )
}
