import { rmSync } from 'node:fs'
import { ownModels } from './install-model.ts'
import { listModels, modelPath, type Inventory, type Place } from './list-models.ts'
import { explainFileFailure, ModelRefused } from './model-refused.ts'
import { removePart } from './part-file.ts'

/** Throws a ModelRefused where there is neither a model nor a broken-off download of this name. */
export function refuseUnknown(inventory: Inventory, name: string): void {
  const names = [...inventory.models.map((model) => model.name), ...inventory.parts]
  if (names.includes(name)) return
  const known =
    names.length > 0 ? `There are: ${[...new Set(names)].join(', ')}.` : 'There is none.'
  throw new ModelRefused(`There is no model ${JSON.stringify(name)} here. ${known}`)
}

/** Deletes a model, and what is left of a download of it; returns what is there then. */
export function removeModel(place: Place, name: string): Inventory {
  const disown = ownModels(place.dataDir)
  try {
    refuseUnknown(listModels(place), name)
    const path = modelPath(place.dataDir, name)
    rmSync(path, { force: true })
    removePart(path)
    return listModels(place)
  } catch (error) {
    throw explainFileFailure(error)
  } finally {
    disown()
  }
}
