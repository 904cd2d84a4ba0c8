package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

const (
	fileRecords = 20 // whose files a step brings
	fileWorkers = 4  // that fetch at once
)

// bringFiles downloads the attachments of the records that have some.
func (r *productRun) bringFiles(ctx context.Context) error {
	for i := range r.tables {
		t := &r.tables[i]
		for {
			stepCtx, actor, snapshot, err := r.beginFresh(ctx)
			if err != nil {
				return err
			}
			if r.ours(snapshot, t) == nil {
				break
			}
			records, err := r.pending(stepCtx, t, "files", fileRecords)
			if err != nil {
				return err
			}
			if len(records) == 0 {
				break
			}
			if err := r.fileRecords(stepCtx, actor, snapshot, t, records); err != nil {
				return err
			}
		}
	}
	return nil
}

// A wantedFile is an attachment of a cell, and what became of it.
type wantedFile struct {
	product.Attachment

	record, field string // at the product
	row           uuid.UUID
	file          string // here; "" if it did not come
	known         bool   // it came before
	wrong         error
}

// fileRecords brings the files of some records. What a file is here is noted, so that it is not downloaded again when
// another one is added to its cell.
func (r *productRun) fileRecords(
	ctx context.Context, actor record.Actor, snapshot *schema.Snapshot, t *product.Table, records []pendingRecord,
) error {
	ours := r.ours(snapshot, t)
	there, err := r.Records.Existing(ctx, ours, rowsIn(records))
	if err != nil {
		return err
	}
	var files []*wantedFile
	for i := range records {
		for field, raw := range records[i].cells {
			var cell []product.Attachment
			if err := json.Unmarshal(raw, &cell); err != nil || !there[records[i].row] {
				continue
			}
			for _, one := range cell {
				files = append(files, &wantedFile{
					Attachment: one, record: records[i].theirs, field: field, row: records[i].row,
				})
			}
		}
	}
	if err := r.knownFiles(ctx, ours, files); err != nil {
		return err
	}
	if err := r.fetch(ctx, actor, t, ours, files); err != nil {
		return err
	}
	next := r.next()
	report := next.table(t.Name, ours.ID)
	for _, one := range files {
		switch {
		case one.wrong != nil:
			name := one.field
			if f := t.Field(one.field); f != nil {
				name = f.Name
			}
			next.report.leave(LeftOut{
				Table: t.Name, Field: name, Count: 1, Why: one.Filename + ": " + one.wrong.Error(),
			})
		case !one.known:
			report.Files++
		}
	}
	next.progress.Done += int64(len(records))
	changes := r.fileChanges(snapshot, ours, there, records, files)
	return r.writePending(ctx, actor, next, t, ours, "files", records, changes,
		func(b *pgx.Batch) { r.queueFiles(b, files) })
}

// fileChanges are the cells of records with the files that have come.
func (r *productRun) fileChanges(
	s *schema.Snapshot, ours *schema.Table, there map[uuid.UUID]bool, records []pendingRecord, files []*wantedFile,
) []record.Change {
	var changes []record.Change
	for i := range records {
		if !there[records[i].row] {
			continue
		}
		var members []jsonvalue.Member
		size := 0
		for field := range records[i].cells {
			f := r.oursField(s, field)
			if f == nil {
				continue
			}
			cell := []map[string]string{}
			for _, one := range files {
				if one.row == records[i].row && one.field == field && one.file != "" {
					cell = append(cell, map[string]string{"id": one.file})
				}
			}
			value := jsonvalue.Must(cell)
			members = append(members, jsonvalue.Member{Name: f.Name, Value: value})
			size += len(f.Name) + len(value) + 6
		}
		if len(members) > 0 {
			changes = append(changes, record.Change{
				ID: id.FormatRecord(ours.Number, records[i].row), Fields: jsonvalue.NewParsedObject(members, size),
			})
		}
	}
	return changes
}

// fileKey is the key of the item of a file: one attachment can be in several records.
func (f *wantedFile) fileKey() string { return f.ID + " " + f.record + " " + f.field }

// knownFiles finds the files that came before and are still here.
func (r *productRun) knownFiles(ctx context.Context, ours *schema.Table, files []*wantedFile) error {
	keys := make([]string, len(files))
	for i, one := range files {
		keys[i] = one.fileKey()
	}
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select i.airtable_id, a.id from rowhouse.airtable_item i join rowhouse.attachment a
				on a.org_id = $1 and a.id = i.object_id and a.table_id = $4 and a.state = 'ready'
			where i.org_id = $1 and i.base_id = $2 and i.airtable_id = any ($3)`, r.j.Org, r.j.Base, keys, ours.ID).
			Query(func(rows pgx.Rows) error {
				var key string
				var file uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&key, &file}, func() error {
					for _, one := range files {
						if one.fileKey() == key {
							one.file, one.known = id.Format(id.Attachment, file), true
						}
					}
					return nil
				})
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for files that have come: %w", err)
	}
	return nil
}

// queueFiles queues the items of files.
func (r *productRun) queueFiles(b *pgx.Batch, files []*wantedFile) {
	var keys, parents []string
	var ids []uuid.UUID
	for _, one := range files {
		file, err := id.Parse(id.Attachment, one.file)
		if err != nil || one.known || slices.Contains(keys, one.fileKey()) {
			continue
		}
		keys, parents, ids = append(keys, one.fileKey()), append(parents, one.record), append(ids, file)
	}
	if len(keys) == 0 {
		return
	}
	b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, parent, object_id)
		select $1, $2, u.key, 'file', u.parent, u.file
		from unnest($3::text[], $4::text[], $5::uuid[]) u(key, parent, file)
		on conflict (org_id, base_id, airtable_id) do update set object_id = excluded.object_id`,
		r.j.Org, r.j.Base, keys, parents, ids)
}

// fetch downloads files, several at once. A file that cannot come says why; an error ends the work.
func (r *productRun) fetch(
	ctx context.Context, actor record.Actor, t *product.Table, ours *schema.Table, files []*wantedFile,
) error {
	work := make(chan *wantedFile)
	errs := make([]error, fileWorkers)
	var group sync.WaitGroup
	for worker := range fileWorkers {
		group.Go(func() {
			for one := range work {
				if errs[worker] == nil {
					errs[worker] = r.fetchFile(ctx, actor, t, ours, one)
				}
			}
		})
	}
	for _, one := range files {
		if !one.known {
			work <- one
		}
	}
	close(work)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fetchAttempts is how often a file is fetched before it is left out.
const fetchAttempts = 3

// fetchFile downloads a file. If its address no longer lives, it asks the product for a new one.
func (r *productRun) fetchFile(
	ctx context.Context, actor record.Actor, t *product.Table, ours *schema.Table, one *wantedFile,
) error {
	source := &one.Attachment
	for range fetchAttempts {
		file, err := r.receive(ctx, actor, ours, source)
		kind := problem.KindOf(err)
		switch {
		case err == nil:
			one.file, one.wrong = file.PublicID(), nil
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx) //nolint:wrapcheck // errStopped, or that of the context
		case product.IsExpired(err):
			renewed, err := r.renew(ctx, t, one)
			if err != nil {
				return err
			}
			if renewed == nil {
				one.wrong = problem.NotFound("file", one.Filename)
				return nil
			}
			source = renewed
		case kind == problem.KindRateLimited || kind == problem.KindUnavailable:
			return err
		case kind != problem.KindInternal && !isCutOff(err): // the file is refused here
			one.wrong = err
			return nil
		}
		one.wrong = err // it did not arrive, or not whole
	}
	return nil
}

func isCutOff(err error) bool {
	var wrong *problem.Error
	return errors.As(err, &wrong) && wrong.Code == problem.CodeUploadCutOff
}

// renew asks the product for the record of a file, which has new addresses; nil if the file is not in it any more.
func (r *productRun) renew(ctx context.Context, t *product.Table, one *wantedFile) (*product.Attachment, error) {
	found, err := r.session.Record(ctx, t, one.record)
	if product.IsGone(err) {
		return nil, nil //nolint:nilnil // by the contract above
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // Problem reads it
	}
	var cell []product.Attachment
	if raw := found.Fields[one.field]; raw != nil {
		if err := json.Unmarshal(raw, &cell); err != nil {
			return nil, fmt.Errorf("reading the files of a record: %w", err)
		}
	}
	for i := range cell {
		if cell[i].ID == one.ID {
			return &cell[i], nil
		}
	}
	return nil, nil //nolint:nilnil // by the contract above
}

// receive stores the content of an attachment for a table.
func (r *productRun) receive(
	ctx context.Context, actor record.Actor, ours *schema.Table, one *product.Attachment,
) (attachment.File, error) {
	if one.Size > r.Files.Limits().File {
		return attachment.File{}, attachment.TooLarge(r.Files.Limits().File)
	}
	content, err := r.session.File(ctx, one)
	if err != nil {
		return attachment.File{}, err //nolint:wrapcheck // IsExpired reads it
	}
	defer func() { _ = content.Close() }()
	name := strings.NewReplacer("/", "_", `\`, "_", "\x00", "").Replace(one.Filename)
	if name == "" {
		name = "file"
	}
	return r.Files.Receive(ctx, actor.Org, actor.Person, ours.ID, attachment.Upload{
		Name: name, Size: -1, Content: content,
	})
}
