package main

import (
	"context"
	"fmt"
	"sync"
)

// batchSize is the maximum number of records in one request.
const batchSize = 100

// A loader fills a new base.
type loader struct {
	api         *client
	application *client // uses a session; nil to omit link fields
	files       []*file
	connections int
	progress    *progress

	base string            // its id
	ids  map[string]string // of the tables, by name

	countries       map[string]string // record ids by code
	regions         map[string]string // record ids of airport regions, by name
	countryOfRegion map[string]string // codes
}

type created struct {
	ID string `json:"id"`
}

type record struct {
	ID     string         `json:"id"`
	Fields map[string]any `json:"fields"`
}

// create creates the base and its tables with all fields.
func (l *loader) create(ctx context.Context, org string) error {
	in := map[string]any{"name": "OurAirports"}
	if org != "" {
		in["orgId"] = org
	}
	var response created
	if err := l.api.call(ctx, "POST", "/bases", in, &response); err != nil {
		return err
	}
	l.base = response.ID
	for _, f := range l.files {
		in := map[string]any{"name": f.table.name, "fields": f.fields()}
		if err := l.api.call(ctx, "POST", "/bases/"+l.base+"/tables", in, &response); err != nil {
			return err
		}
		l.ids[f.table.name] = response.ID
	}
	if l.application == nil {
		return nil
	}
	err := l.application.call(ctx, "POST", "/tables/"+l.ids["Regions"]+"/fields", map[string]any{
		"name": "Country", "type": "link", "position": 3,
		"config": map[string]any{"linkedTableId": l.ids["Countries"], "multiple": false},
	}, &response)
	if err != nil {
		return err
	}
	return l.createComputed(ctx)
}

// load writes all records, table by table.
func (l *loader) load(ctx context.Context) error {
	l.countries, l.regions = map[string]string{}, map[string]string{}
	for _, f := range l.files {
		if f.table.name == "Runways" && l.application != nil {
			if err := l.loadRegions(ctx); err != nil {
				return err
			}
		}
		records := make([]map[string]any, len(f.rows))
		for i, row := range f.rows {
			var err error
			if records[i], err = f.record(row); err != nil {
				return err
			}
			l.linkRecord(f, row, records[i])
		}
		created, err := l.write(ctx, f.table.name, records)
		if err != nil {
			return err
		}
		if f.table.name == "Countries" {
			for _, r := range created {
				if code, ok := r.Fields["Code"].(string); ok {
					l.countries[code] = r.ID
				}
			}
		}
	}
	return nil
}

// write creates records in batches over several connections and returns them in arbitrary order.
func (l *loader) write(ctx context.Context, table string, records []map[string]any) ([]record, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l.progress.begin(table, len(records))
	defer l.progress.end()

	batches := make(chan []map[string]any)
	go func() {
		defer close(batches)
		for len(records) > 0 {
			n := min(batchSize, len(records))
			select {
			case batches <- records[:n]:
			case <-ctx.Done():
				return
			}
			records = records[n:]
		}
	}()
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		created []record
	)
	for range l.connections {
		workers.Go(func() {
			for records := range batches {
				batch, err := l.post(ctx, table, records)
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				created = append(created, batch...)
				mu.Unlock()
				l.progress.add(len(batch))
			}
		})
	}
	workers.Wait()
	return created, context.Cause(ctx)
}

func (l *loader) post(ctx context.Context, table string, records []map[string]any) ([]record, error) {
	type item struct {
		Fields map[string]any `json:"fields"`
	}
	in := struct {
		Records []item `json:"records"`
	}{}
	for _, fields := range records {
		in.Records = append(in.Records, item{fields})
	}
	var out struct {
		Records []record `json:"records"`
	}
	if err := l.api.call(ctx, "POST", "/tables/"+l.ids[table]+"/records", in, &out); err != nil {
		return nil, err
	}
	if len(out.Records) != len(records) {
		return nil, fmt.Errorf("sent %d records to %s, but got %d back", len(records), table, len(out.Records))
	}
	return out.Records, nil
}
