package allowlist

import (
	"slices"
)

func qualifierOf(value any) string {
	wrapped, _ := value.(map[string]any)
	column, _ := wrapped["ColumnRef"].(map[string]any)
	fields, _ := column["fields"].([]any)
	if len(fields) < 2 {
		return ""
	}
	name, _ := stringOf(fields[0])
	return name
}

// fromItem returns the possible names of an item of FROM, and its weight. left is what precedes it.
func (w *weigher) fromItem(s weightScope, left []weighedSource, item any) ([]weighedSource, int) {
	wrapped, _ := item.(map[string]any)
	kind := kindOf(wrapped)
	content, _ := wrapped[kind].(map[string]any)
	if at, ok := content["location"].(float64); ok && at >= 0 {
		w.last = at
	}
	name, renamed := aliasOf(content["alias"])
	switch kind {
	case "RangeVar":
		source := w.read(s, content).renamed(renamed)
		if name != "" {
			source.name = name
		}
		return []weighedSource{source}, source.total
	case "RangeSubselect":
		query, _ := content["subquery"].(map[string]any)
		of, _ := query["SelectStmt"].(map[string]any)
		if content["lateral"] == true {
			s = s.inside(left)
		}
		weight, source := w.selected(s, of)
		source = source.renamed(renamed)
		source.name = name
		return []weighedSource{source}, add(1, weight)
	case "RangeFunction":
		called, of := functionColumns(content, name)
		source := weighedSource{name: called}
		for _, column := range of.names {
			source.columns = append(source.columns, weighed{column, 1})
		}
		return []weighedSource{
			source.renamed(renamed),
		}, add(
			relationWeight,
			w.node(s.inside(left), content["functions"]),
		)
	case "JoinExpr":
		return w.join(s, left, content)
	}
	return nil, w.node(s.inside(left), item)
}

// read returns the table or the common table expression that a name in FROM stands for.
func (w *weigher) read(s weightScope, content map[string]any) weighedSource {
	name, _ := content["relname"].(string)
	if content["schemaname"] == nil {
		for _, source := range slices.Backward(s.ctes) {
			if source.name == name {
				if w.counting {
					w.reads[source.at]++
				}
				source.total = add(source.total, relationWeight)
				return source
			}
		}
	}
	source := weighedSource{name: name, total: relationWeight}
	if relation := w.catalog.relation(name); relation != nil {
		for _, column := range relation.Columns {
			weight := 1
			if slices.Contains(relation.Computed, column) {
				weight = computedWeight
			}
			source.columns = append(source.columns, weighed{column, weight})
		}
	}
	return source
}

func (w *weigher) join(s weightScope, left []weighedSource, content map[string]any) ([]weighedSource, int) {
	both, total := w.fromItem(s, left, content["larg"])
	second, weight := w.fromItem(s, slices.Concat(left, both), content["rarg"])
	both, total = slices.Concat(both, second), add(total, weight)
	total = add(total, w.node(s.inside(both), content["quals"]))
	name, renamed := aliasOf(content["alias"])
	if name == "" {
		name, _ = aliasOf(content["join_using_alias"])
		renamed = nil
		if name == "" {
			return both, total
		}
	}
	all := weighedSource{loose: true}
	for _, one := range both {
		all.columns = append(all.columns, one.columns...)
	}
	all = all.renamed(renamed)
	all.name = name
	if content["alias"] != nil {
		return []weighedSource{all}, total
	}
	return append(both, all), total
}
