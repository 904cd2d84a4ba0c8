package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// makeLinks connects the link fields of a pair. One whose inverse is not in the blueprint gets a new one in the table
// that it links to.
func (b *building) makeLinks(ctx context.Context) error {
	for i := range b.tables {
		for _, f := range slices.Clone(b.tables[i].Fields) { // inverses are added
			if f.Info().Paired && f.Link == nil {
				if err := b.makeLink(ctx, f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *building) makeLink(ctx context.Context, f *schema.Field) error {
	at := b.paths[f.ID] + ".config"
	linked, err := b.linkedTable(ctx, at, f)
	if err != nil {
		return err
	}
	inverse := (*schema.Field)(nil)
	if u, err := id.Parse(id.Field, f.Config.InverseFieldID); err == nil && u != f.ID {
		inverse = b.fields[u]
	}
	if inverse != nil && (inverse.Table != linked || !inverse.Info().Paired || inverse.Link != nil ||
		inverse.Config.InverseFieldID != f.PublicID() || inverse.Config.LinkedTableID != f.Table.PublicID()) {
		return problem.Invalid(at+".inverseFieldId", "is not the other side of this link")
	}
	number, err := b.drawNumbers(ctx, "nextval('rowhouse.next_link')", 1)
	if err != nil {
		return err
	}
	fresh := inverse == nil
	if fresh {
		if len(linked.Fields) >= MaxFields {
			return problem.Conflict("The linked table has %d fields already, the most it may have.", MaxFields)
		}
		inverse = schema.NewField(linked, f.Type(), linked.FreeFieldName(f.Table.Name, f.Name), schema.Config{},
			float64(len(linked.Fields))+1)
	}
	f.Config.InverseFieldID, inverse.Config.InverseFieldID = inverse.PublicID(), f.PublicID()
	inverse.Config.LinkedTableID = f.Table.PublicID()
	f.Link = &schema.Link{Number: number[0], Own: "a", Other: "b", LinkedTable: linked.ID, Inverse: inverse.ID}
	inverse.Link = &schema.Link{Number: number[0], Own: "b", Other: "a", LinkedTable: f.Table.ID, Inverse: f.ID}
	if fresh {
		if err := b.addInverse(ctx, inverse, b.inverses[f.ID]); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	for _, one := range []*schema.Field{f, inverse} {
		batch.Queue(`update rowhouse.field set config = $3, link_number = $4, link_side = $5, linked_table_id = $6
			where org_id = $1 and id = $2`, b.Org, one.ID, one.Config, one.Link.Number, one.Link.Own,
			one.Link.LinkedTable)
	}
	b.queueLinkRelation(batch, f, linked)
	if err := b.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating a link: %w", err)
	}
	return nil
}

// addInverse stores the other side of a link, without the link.
func (b *building) addInverse(ctx context.Context, inverse *schema.Field, made *NewInverse) error {
	if made == nil {
		made = &NewInverse{}
	}
	if made.Single {
		multiple := false
		inverse.Config.Multiple = &multiple
	}
	if made.Permission != nil {
		b.ChangesPermissions()
	}
	_, err := b.Exec(ctx, `insert into rowhouse.field
			(org_id, id, table_id, number, name, type, position, hidden, permission)
		values ($1, $2, $3, nextval('rowhouse.next_field'), $4, $5, $6, $7, $8)`, b.Org, inverse.ID, inverse.Table.ID,
		inverse.Name, inverse.Type(), inverse.Position, made.Hidden, jsonOrNull(made.Permission))
	if err != nil {
		return fmt.Errorf("creating the other side of a link: %w", err)
	}
	inverse.Table.Fields = append(inverse.Table.Fields, inverse)
	return nil
}

// linkedTable finds the table that a link field links to: one of the blueprint, or of the base that was there.
func (b *building) linkedTable(ctx context.Context, at string, f *schema.Field) (*schema.Table, error) {
	for _, t := range b.tables {
		if t.PublicID() == f.Config.LinkedTableID {
			return t, nil
		}
	}
	if u, err := id.Parse(id.Table, f.Config.LinkedTableID); err == nil && b.Base == nil {
		if b.far[u] != nil {
			return b.far[u], nil
		}
		if known := b.Snapshot.Table(u); known != nil && known.Base == b.base {
			t := *known
			t.Fields = slices.Clone(known.Fields)
			b.far[u] = &t
			return &t, b.LockTable(ctx, &t)
		}
	}
	return nil, problem.Invalid(at+".linkedTableId", "no table of the base has the id %q", f.Config.LinkedTableID)
}

// checkFields checks, now that all of them are there, what fields compute and which values new records get.
func (b *building) checkFields(ctx context.Context) error {
	for known := -1; ; {
		wrong, changed, err := b.checkRound(ctx)
		if err != nil {
			return err
		}
		if changed { // fields have the types of what they compute
			if err := b.refresh(ctx); err != nil {
				return err
			}
		}
		if len(wrong) == 0 || len(wrong) == known {
			for f, why := range wrong {
				b.note("%s, %s: the field shows errors: %s", f.Table.Name, f.Name, why)
			}
			break
		}
		known = len(wrong) // what they read may have got its type in this round
	}
	slices.Sort(b.notes)
	for i, made := range b.tables {
		t := b.Snapshot.Table(made.ID)
		if err := t.Primary().RefusePrimary(fmt.Sprintf("tables[%d].fields[0]", i)); err != nil {
			return err
		}
	}
	return nil
}

// checkRound completes the configs of the fields. It returns those that compute nothing, with why, and whether it has
// changed any.
func (b *building) checkRound(ctx context.Context) (wrong map[*schema.Field]string, changed bool, err error) {
	batch := &pgx.Batch{}
	wrong = map[*schema.Field]string{}
	for _, made := range b.tables {
		for _, f := range b.Snapshot.Table(made.ID).Fields {
			next := *f
			if why, err := b.checkField(ctx, &next); err != nil {
				return nil, false, err
			} else if why != "" {
				wrong[f] = why
				continue
			}
			if !bytes.Equal(jsonvalue.Must(next.Config), jsonvalue.Must(f.Config)) {
				batch.Queue("update rowhouse.field set config = $3 where org_id = $1 and id = $2", b.Org, f.ID,
					next.Config)
			}
		}
	}
	if err := b.SendBatch(ctx, batch).Close(); err != nil {
		return nil, false, fmt.Errorf("completing the fields: %w", err)
	}
	return wrong, batch.Len() > 0, nil
}

// checkField completes the config of a field. A default that does not fit is taken out of it; why says why the field
// computes nothing.
func (b *building) checkField(ctx context.Context, f *schema.Field) (why string, err error) {
	at := b.paths[f.ID] + ".config"
	if f.Info().Computed {
		if err := b.Snapshot.CheckComputed(at, f); err != nil {
			return whyWrong(err), nil //nolint:nilerr // it is noted
		}
		return "", nil
	}
	err = b.CheckDefault(ctx, at, f, nil)
	if problem.KindOf(err) == problem.KindInvalid {
		f.Config.Default = nil
		b.note("%s, %s: the default was left out: %s", f.Table.Name, f.Name, whyWrong(err))
		return "", nil
	}
	return "", err
}

// whyWrong is what is wrong, without where it stands in a blueprint.
func whyWrong(err error) string {
	var wrong *problem.Error
	if errors.As(err, &wrong) && len(wrong.Items) > 0 {
		return wrong.Items[0].Message
	}
	return err.Error()
}
