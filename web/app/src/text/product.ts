import { type Language, useLocale } from "../locale/locale.ts";
import { product } from "./en/product.ts";

/** The texts of imports from NocoDB and Baserow. They are loaded with their dialog. */
const catalogues: Record<Language, typeof product> = { en: product };

export function useProductText(): typeof product {
  return catalogues[useLocale().language];
}
