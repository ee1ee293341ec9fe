/** Bars that are compared with each other, and with no other panel's. */
export interface Panel {
  readonly title: string
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly name: string
  /** NaN where there is none. */
  readonly value: number
  /** As it is written beside the bar. */
  readonly text: string
  /** The one that the picture is about. */
  readonly isOurs: boolean
}

const COLUMNS = 2
const WIDTH = 880
const MARGIN = 24
const TITLE_HEIGHT = 26
const BAR_HEIGHT = 14
const BAR_PITCH = 20
const PANEL_GAP = 22
const NAME_WIDTH = 124
const TEXT_WIDTH = 70
const COLUMN_WIDTH = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS

/**
 * Panels of horizontal bars as SVG. It has its own ground, light or dark as the reader's system is, so
 * that it can be read on any page.
 */
export function drawBars(panels: readonly Panel[]): string {
  const most = Math.max(0, ...panels.map(({ bars }) => bars.length))
  const pitch = TITLE_HEIGHT + most * BAR_PITCH + PANEL_GAP
  const height = 2 * MARGIN + Math.ceil(panels.length / COLUMNS) * pitch - PANEL_GAP
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    STYLE,
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>`,
    ...panels.map((panel, place) => {
      const left = MARGIN + (place % COLUMNS) * (COLUMN_WIDTH + MARGIN)
      const top = MARGIN + Math.floor(place / COLUMNS) * pitch
      return drawPanel(panel, left, top)
    }),
    '</svg>',
    '',
  ].join('\n')
}

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.ground { fill: #f6f8fa }
.title { font-weight: 600 }
.figure { font-variant-numeric: tabular-nums }
.bar { fill: #8c959f }
.ours { fill: #0969da }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .ground { fill: #161b22 }
  .bar { fill: #6e7681 }
  .ours { fill: #58a6ff }
}
</style>`

function drawPanel({ title, bars }: Panel, left: number, top: number): string {
  const greatest = Math.max(...bars.map(({ value }) => (Number.isNaN(value) ? 0 : value)))
  const room = COLUMN_WIDTH - NAME_WIDTH - TEXT_WIDTH
  const lines = bars.map(({ name, value, text, isOurs }, place) => {
    const y = top + TITLE_HEIGHT + place * BAR_PITCH
    const width = Number.isNaN(value) || greatest === 0 ? 0 : (room * value) / greatest
    const [start, middle] = [left + NAME_WIDTH, y + BAR_HEIGHT - 3]
    const kind = isOurs ? 'bar ours' : 'bar'
    return (
      `<text x="${start - 8}" y="${middle}" text-anchor="end">${escapeText(name)}</text>` +
      `<rect class="${kind}" x="${start}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>` +
      `<text class="figure" x="${(start + width + 6).toFixed(1)}" y="${middle}">${escapeText(text)}</text>`
    )
  })
  return [
    `<text class="title" x="${left}" y="${top + 12}">${escapeText(title)}</text>`,
    ...lines,
  ].join('\n')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
