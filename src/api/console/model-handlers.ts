import type { Models } from '#models/index.ts'
import type { ConsoleModel } from '../contract/index.ts'
import { writeModelItem } from '../v1/write-model-list.ts'

/** What there is to be asked, for whoever chooses on a page. */
export function createModelHandlers(models: Models, serviceName: string) {
  return {
    async listConsoleModels() {
      const data: ConsoleModel[] = models.health().map(({ model, enabled }) => {
        const { object: _object, owned_by: _owner, ...item } = writeModelItem(serviceName, model)
        return { ...item, brand: model.brand, tools: model.tools, enabled }
      })
      return { data }
    },
  }
}
