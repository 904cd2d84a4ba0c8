package naming

import "strings"

// synonyms are words that callers use for names of the API, by their fold, with the names that they may stand for. The
// place where a word is read has one of these names at most, so what the word means there is certain.
var synonyms = map[string][]string{
	// Operators of filters.
	"=": {"eq"}, "==": {"eq"}, "equals": {"eq"}, "equal": {"eq"}, "is": {"eq"},
	"!=": {"neq"}, "<>": {"neq"}, "ne": {"neq"}, "notequals": {"neq"}, "isnot": {"neq"},
	">": {"gt"}, "greaterthan": {"gt"}, "after": {"gt"},
	"<": {"lt"}, "lessthan": {"lt"}, "before": {"lt"},
	">=": {"gte"}, "ge": {"gte"}, "onorafter": {"gte"},
	"<=": {"lte"}, "le": {"lte"}, "onorbefore": {"lte"},
	"error": {"is_error"}, "empty": {"is_empty"}, "isnull": {"is_empty"}, "notempty": {"is_not_empty"},
	"isnotnull": {"is_not_empty"}, "doesnotcontain": {"not_contains"}, "beginswith": {"starts_with"},
	// Directions of sorts.
	"ascending": {"asc"}, "descending": {"desc"},
	// Functions over records, and of rollups.
	"total": {"sum"}, "average": {"avg"}, "mean": {"avg", "average"}, "avg": {"average"},
	"minimum": {"min"}, "maximum": {"max"}, "countdistinct": {"distinct"}, "distinctcount": {"distinct"},
	"percentage": {"percent_of_total", "percent"}, "percent": {"percent_of_total"},
	// Types of fields and views.
	"money": {"currency"}, "select": {"single_select"}, "enum": {"single_select"}, "choice": {"single_select"},
	"dropdown": {"single_select"}, "multipleselect": {"multi_select"}, "multipleselects": {"multi_select"},
	"string": {"text"}, "singlelinetext": {"text"}, "multilinetext": {"long_text"}, "boolean": {"checkbox"},
	"bool": {"checkbox"}, "integer": {"number"}, "decimal": {"number"}, "float": {"number"},
	"timestamp": {"datetime"}, "attachments": {"attachment"}, "file": {"attachment"}, "board": {"kanban"},
	// Keys and arguments.
	"title": {"name"}, "direction": {"dir"}, "order": {"dir"}, "operator": {"op"}, "function": {"fn"},
	"query": {"search", "sql"}, "columns": {"fields"}, "where": {"filters"}, "orderby": {"sorts"},
}

// Fold is the form in which Meant compares: without case, spaces, hyphens and underscores.
func Fold(word string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, Key(word))
}

// Meant returns the one of names that a word certainly means: itself, the only name that differs from it in no more
// than case, hyphens, underscores and spaces, or the only one that it is a synonym of. It returns "" if none or several
// are meant.
func Meant(word string, names []string) string {
	for _, name := range names {
		if name == word {
			return name
		}
	}
	fold := Fold(word)
	if fold == "" {
		return ""
	}
	found, several := only(names, fold)
	for _, other := range synonyms[fold] {
		if found != "" || several {
			break
		}
		found, several = only(names, Fold(other))
	}
	if several {
		return ""
	}
	return found
}

func only(names []string, fold string) (found string, several bool) {
	for _, name := range names {
		if Fold(name) == fold {
			several = found != ""
			found = name
		}
	}
	return found, several
}

// MeantKey is Meant for the keys of an object, of which one may also be named without its ending, as field for fieldId
// and filter for filters, or in the plural.
func MeantKey(word string, keys []string) string {
	found := Meant(word, keys)
	for _, form := range []string{word + "Id", word + "FieldId", word + "s", strings.TrimSuffix(word, "s")} {
		if found != "" {
			break
		}
		found = Meant(form, keys)
	}
	return found
}
