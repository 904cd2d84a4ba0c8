import { useLocale } from "../locale/locale.ts";
import { product } from "./en/product.ts";
import { translated } from "./translation.ts";

/** The texts of imports from NocoDB and Baserow. They are loaded with their dialog. */
const productTextOf = translated("product", product);

export const useProductText = () => productTextOf(useLocale());
