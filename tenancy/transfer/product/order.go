package product

// An Item is a computed field and its table.
type Item struct {
	Table *Table
	Field *Field
}

// Reads lists the fields that a computed field reads, by their ids: of its own table and of linked ones.
func (f *Field) Reads() []string {
	switch f.Type {
	case "formula":
		return f.Formula.Fields()
	case "count":
		return []string{f.Link}
	}
	return []string{f.Link, f.Target}
}

// Order lists the computed fields of a base so that each comes after those that it reads. Fields that read each other
// in a circle, which products show as errors, come last.
func Order(tables []Table) []Item {
	var ordered []Item
	items, state := map[string]Item{}, map[string]int{}
	var ids []string
	for i := range tables {
		for j := range tables[i].Fields {
			f := &tables[i].Fields[j]
			if f.Way == Computed {
				items[f.ID] = Item{&tables[i], f}
				ids = append(ids, f.ID)
			}
		}
	}
	const (
		visiting = 1
		done     = 2
	)
	var visit func(id string)
	visit = func(id string) {
		item, known := items[id]
		if !known || state[id] != 0 {
			return
		}
		state[id] = visiting
		for _, read := range item.Field.Reads() {
			visit(read)
		}
		state[id] = done
		ordered = append(ordered, item)
	}
	for _, id := range ids {
		visit(id)
	}
	return ordered
}
