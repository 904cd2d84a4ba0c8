import type { Field, FieldType } from "../../api/type.ts";
import { factsOf } from "../facts.ts";
import { type ConfigFacts, configCatalogue } from "./catalogue.ts";

/**
 * What the service says of the configuration of a type. A type that this version does not know
 * cannot be changed.
 */
export function configFacts(type: FieldType): ConfigFacts {
  return (configCatalogue as Partial<typeof configCatalogue>)[type] ?? { config: {}, convertsTo: [] };
}

/** Reports whether a field can be given another type. */
export function canBecome(field: Field, type: FieldType): boolean {
  if (field.type === type) return true;
  return configFacts(field.type).convertsTo.includes(type) && (!field.isPrimary || factsOf(type).primary);
}
