package query

import (
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// together finds the fields whose values are made from the same linked records, the link field itself
// among them. Each group is read at once, because finding the records costs more than what is made of them.
func together(fields []*schema.Field) (of map[*schema.Field]*field.Linked, groups [][]*field.Linked) {
	of = map[*schema.Field]*field.Linked{}
	readers := map[string][]*schema.Field{} // by the records that they read
	var order []string
	for _, f := range fields {
		l := f.Linked()
		if l == nil || l.Unnested || l.Alone {
			continue
		}
		of[f] = l
		if readers[l.Records] == nil {
			order = append(order, l.Records)
		}
		readers[l.Records] = append(readers[l.Records], f)
	}
	for _, records := range order {
		first := of[readers[records][0]]
		for _, f := range fields {
			if beside := first.Beside(&f.Field); beside != nil {
				of[f] = beside
				readers[records] = append(readers[records], f)
			}
		}
		if len(readers[records]) < 2 {
			delete(of, readers[records][0])
			continue
		}
		group := make([]*field.Linked, len(readers[records]))
		for i, f := range readers[records] {
			group[i] = of[f]
		}
		groups = append(groups, group)
	}
	return of, groups
}
