/** Runs at once, and for whatever comes in the meantime once more when the time is over. */
export function throttle(run: () => void, everyMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  function begin(): void {
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (!isWanted) return
      isWanted = false
      begin()
    }, everyMs)
  }
  return {
    call(): void {
      if (timer === undefined) begin()
      else isWanted = true
    },
    end(): void {
      clearTimeout(timer)
    },
  }
}
