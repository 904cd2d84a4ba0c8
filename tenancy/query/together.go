package query

import (
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// together finds the fields whose values are computed from the same linked records, including the link
// field itself. Each group is read at once, because finding the records costs more than computing
// values from them.
func together(fields []*schema.Field) (of map[*schema.Field]*field.Linked, groups [][]*field.Linked) {
	of = map[*schema.Field]*field.Linked{}
	readers := map[string][]*schema.Field{} // by the keys of what they read
	var order []string
	for _, f := range fields {
		l := f.Linked()
		if l == nil || l.Unnested || l.Alone {
			continue
		}
		of[f] = l
		key := l.Key()
		if readers[key] == nil {
			order = append(order, key)
		}
		readers[key] = append(readers[key], f)
	}
	for _, key := range order {
		first := of[readers[key][0]]
		for _, f := range fields {
			if links := first.WithLinks(&f.Field); links != nil {
				of[f] = links
				readers[key] = append(readers[key], f)
			}
		}
		if len(readers[key]) < 2 {
			delete(of, readers[key][0])
			continue
		}
		group := make([]*field.Linked, len(readers[key]))
		for i, f := range readers[key] {
			group[i] = of[f]
		}
		groups = append(groups, group)
	}
	return of, groups
}
