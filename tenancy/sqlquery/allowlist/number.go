package allowlist

import (
	"slices"
	"strconv"
	"strings"
)

// Numbers of the type numeric may have 131,072 digits, and PostgreSQL does not check its time limit
// within one product or power of them. So the operations that produce such numbers are bounded.

const (
	// maxDigits and maxExponent bound a literal number.
	maxDigits   = 400
	maxExponent = 308
	// maxProducts bounds the products, quotients and roots of a statement.
	maxProducts = 40
)

// multiply counts operations that are slow on long numbers.
func (w *walker) multiply(at, cost int) error {
	if w.products += cost; w.products > maxProducts {
		return w.refuse(at, "there are too many products, quotients and roots: up to %d in a statement", maxProducts)
	}
	return nil
}

// power checks powers of double precision.
func (w *walker) power(at int, base, exponent any) error {
	if isDouble(base) || isDouble(exponent) || isInteger(base) && isInteger(exponent) {
		return nil
	}
	return w.refuse(at, "a power needs double precision: write power(x::double precision, 2), or x::float8 ^ 2")
}

func isDouble(value any) bool {
	wrapped, _ := value.(map[string]any)
	cast, _ := wrapped["TypeCast"].(map[string]any)
	name, bounds := typeOf(cast)
	return name == "float8" && bounds == nil
}

func typeOf(cast map[string]any) (name string, bounds any) {
	of, _ := cast["typeName"].(map[string]any)
	names, ok := stringsOf(of["names"])
	if !ok || len(names) == 0 {
		return "", nil
	}
	return names[len(names)-1], of["arrayBounds"]
}

func isInteger(value any) bool {
	wrapped, _ := value.(map[string]any)
	content, _ := wrapped["A_Const"].(map[string]any)
	return content["ival"] != nil
}

// constant checks texts and numbers.
func constant(w *walker, s scope, at int, content map[string]any) (scope, error) {
	if text, ok := content["sval"].(map[string]any); ok {
		written, _ := text["sval"].(string)
		w.longest = max(w.longest, len(written))
	}
	if float, ok := content["fval"].(map[string]any); ok {
		written, _ := float["fval"].(string)
		if !shortNumber(written) {
			return s, w.refuse(at, "a number has up to %d digits, and an exponent up to %d", maxDigits, maxExponent)
		}
	}
	return s, nil
}

func shortNumber(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	mantissa, exponent, found := strings.Cut(text, "e")
	if len(mantissa) > maxDigits {
		return false
	}
	n, err := strconv.Atoi(exponent)
	return !found || err != nil || n <= maxExponent && n >= -maxExponent
}

// typeCast counts casts to text, and bounds numbers in texts.
func typeCast(w *walker, s scope, at int, content map[string]any) (scope, error) {
	name, bounds := typeOf(content)
	arg, _ := content["arg"].(map[string]any)
	written, isConstant := arg["A_Const"].(map[string]any)
	switch {
	case (name == "text" || name == "varchar") && !isConstant:
		w.casts = true
		if casts(arg) {
			w.enlarge(2)
		}
	case name == "numeric" && isConstant && bounds == nil:
		text, _ := written["sval"].(map[string]any)
		if number, ok := text["sval"].(string); ok && !shortNumber(number) {
			return s, w.refuse(at, "a number has up to %d digits, and an exponent up to %d", maxDigits, maxExponent)
		}
	}
	return s, nil
}

// casts reports whether a value contains a cast to text.
func casts(value any) bool {
	switch v := value.(type) {
	case []any:
		return slices.ContainsFunc(v, casts)
	case map[string]any:
		if cast, ok := v["TypeCast"].(map[string]any); ok {
			if name, _ := typeOf(cast); name == "text" || name == "varchar" {
				return true
			}
		}
		for _, member := range v {
			if casts(member) {
				return true
			}
		}
	}
	return false
}

// subLink records lists that are built from rows.
func subLink(w *walker, s scope, _ int, content map[string]any) (scope, error) {
	w.collects = w.collects || content["subLinkType"] == "ARRAY_SUBLINK"
	return s, nil
}
