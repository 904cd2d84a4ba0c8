package formula

// Functions lists the functions in the order of the documentation.
func Functions() []Function {
	out := make([]Function, len(functions))
	for i, f := range functions {
		out[i] = f.Function
	}
	return out
}

// Words and LocaleNames are the words of a language in SQL, and the languages that there are.
var (
	Words       = words
	LocaleNames = localeNames
)
