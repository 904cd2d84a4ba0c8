package transfer

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// build makes the base with its tables, or the table of a copy, in one step.
func (r *archiveRun) build(ctx context.Context) error {
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	source, err := r.source(ctx)
	if err != nil {
		return err
	}
	var base, table uuid.UUID
	next := r.next()
	next.progress.Phase = archiveFiles
	next.report.noteOnce(incomplete)
	tables := r.from.Base.Tables
	built, err := r.Schema.Build(r.within(ctx, next, func(b *pgx.Batch) { r.queueBase(b, next, base, table) }), r.j.Org,
		len(tables), func(numbers []int32) (*catalog.Blueprint, error) {
			r.progress.Numbers, next.progress.Numbers = numbers, numbers
			r.setRenaming()
			plan, err := r.blueprint(source)
			if err != nil {
				return nil, err
			}
			if base = plan.Into; plan.Base != nil {
				base = plan.Base.ID
			} else {
				table = plan.Tables[0].ID
			}
			next.progress.Total = r.countPlanned(next, plan)
			return plan, nil
		})
	if err != nil {
		r.progress.Numbers = nil
		return err //nolint:wrapcheck // it is for the person
	}
	for _, note := range built.Notes {
		next.report.noteOnce(note) // and with the next step into the row of the job
	}
	r.took(next)
	if !r.isBackup() {
		r.j.Base, r.j.Table = base, table
	}
	return nil
}

// source is what a copy is made of, with its permissions; nil for an archive. It checks that the person may make a base
// where this one is to be.
func (r *archiveRun) source(ctx context.Context) (*schema.Base, error) {
	snapshot, err := r.whole(ctx)
	if err != nil {
		return nil, err
	}
	var source *schema.Base
	if r.isCopy() {
		if source = snapshot.Base(r.in.Base); source == nil {
			return nil, problem.NotFound("base", id.Format(id.Base, r.in.Base))
		}
	}
	if r.in.Table != uuid.Nil || r.isBackup() {
		return source, nil
	}
	member, err := r.Schema.Member(ctx, r.j.Org, r.j.Person)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what
	}
	made := &schema.Base{Org: r.j.Org, Workspace: r.in.Workspace}
	if source != nil {
		made.Access = source.Access
	}
	if !schema.InOpenBase(member.Role).AtLeast(schema.BaseCreator) ||
		!snapshot.RoleIn(member.Subject(r.j.Org), made).AtLeast(schema.BaseCreator) {
		return nil, problem.Forbidden("The person of the job may make no base in the workspace.").
			WithCode(problem.CodeInsufficientRole)
	}
	return source, nil
}

// countPlanned notes in a report what a blueprint makes, and returns the number of records.
func (r *archiveRun) countPlanned(next *archiveStep, plan *catalog.Blueprint) (records int64) {
	next.report.Tables = nil
	for i := range r.from.Base.Tables {
		t := &r.from.Base.Tables[i]
		report := TableReport{
			ID: id.Format(id.Table, plan.Tables[i].ID), Name: t.Name, Views: len(t.Views),
		}
		for j := range t.Fields {
			if isComputed(t.Fields[j].Type) {
				report.Formulas++
			} else {
				report.Fields++
			}
		}
		if e := r.from.Records(t); e != nil {
			records += int64(*e.Records)
		}
		next.report.Tables = append(next.report.Tables, report)
	}
	return records
}

func isComputed(kind string) bool {
	info := infoOf(kind)
	return info != nil && info.Computed
}

func isCounted(kind string) bool {
	info := infoOf(kind)
	return info != nil && info.Counted
}

// infoOf is what is known of a type of field; nil if there is none of this name.
func infoOf(kind string) *field.Info {
	for _, known := range field.All() {
		if string(known.Info().Type) == kind {
			return known.Info()
		}
	}
	return nil
}

// blueprint is the plan of what the archive has, with new ids.
func (r *archiveRun) blueprint(source *schema.Base) (*catalog.Blueprint, error) {
	from := &r.from.Base
	plan := &catalog.Blueprint{Maker: r.j.Person, Into: r.in.Base}
	if r.in.Table == uuid.Nil {
		plan.Into = uuid.Nil
		plan.Base = &catalog.NewBase{
			ID: id.New(), Workspace: r.in.Workspace, Name: from.Name, TimeZone: from.TimeZone,
		}
		if r.isBackup() {
			plan.Base.Scratch = r.j.ID
		}
		if r.in.Name != "" {
			plan.Base.Name = r.in.Name
		}
		var err error
		if plan.Base.Icon, err = readIcon(from.Icon); err != nil {
			return nil, err
		}
		if source != nil {
			plan.Base.Permission = r.permission(source.Access)
		}
	}
	for i := range from.Tables {
		made, err := r.newTable(&from.Tables[i], r.progress.Numbers[i])
		if err != nil {
			return nil, err
		}
		if plan.Base == nil && r.in.Name != "" {
			made.Name = r.in.Name
		}
		if source != nil {
			if err := r.permit(source, &from.Tables[i], made); err != nil {
				return nil, err
			}
		}
		plan.Tables = append(plan.Tables, *made)
	}
	if len(plan.Tables) == 0 && plan.Base == nil {
		return nil, problem.NotFound("table", id.Format(id.Table, r.in.Table))
	}
	return plan, nil
}

func readIcon(raw json.RawMessage) (*schema.Icon, error) {
	if len(raw) == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	icon := &schema.Icon{}
	if err := json.Unmarshal(raw, icon); err != nil {
		return nil, problem.Invalid("icon", "cannot be read: %s", err)
	}
	return icon, nil
}

func (r *archiveRun) newTable(t *archive.Table, number int32) (*catalog.NewTable, error) {
	made := &catalog.NewTable{Number: number, Name: t.Name}
	var err error
	if made.ID, err = r.newID(id.Table, t.ID); err != nil {
		return nil, err
	}
	if made.Icon, err = readIcon(t.Icon); err != nil {
		return nil, err
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if infoOf(f.Type) == nil {
			return nil, problem.Invalid("file", "has the field %q of %q, whose type %q this Rowhouse does not know",
				f.Name, t.Name, f.Type)
		}
		u, err := r.newID(id.Field, f.ID)
		if err != nil {
			return nil, err
		}
		made.Fields = append(made.Fields, catalog.NewField{
			ID: u, Name: f.Name, Type: schema.Type(f.Type), Config: r.rename.JSON(f.Config), Primary: f.Primary,
			Hidden: f.Hidden, Width: f.Width,
		})
	}
	for i := range t.Views {
		v := &t.Views[i]
		u, err := r.newID(id.View, v.ID)
		if err != nil {
			return nil, err
		}
		kind, err := schema.ParseViewType("file", v.Type)
		if err != nil {
			return nil, err //nolint:wrapcheck // it is for the person
		}
		access, err := schema.ParseViewAccess("file", v.Access)
		if err != nil {
			return nil, err //nolint:wrapcheck // it is for the person
		}
		config := schema.ViewConfig{}
		if len(v.Config) > 0 {
			if err := json.Unmarshal(r.rename.JSON(v.Config), &config); err != nil {
				return nil, problem.Invalid("file", "has the view %q of %q, whose config cannot be read", v.Name,
					t.Name)
			}
		}
		made.Views = append(made.Views, catalog.NewView{
			ID: u, Name: v.Name, Type: kind, Access: access, Config: config,
		})
	}
	return made, nil
}

func (r *archiveRun) newID(kind id.Kind, public string) (uuid.UUID, error) {
	u, err := id.Parse(kind, public)
	if err != nil {
		return u, problem.Invalid("file", "has the id %q, which is none", public)
	}
	return r.rename.ID(u), nil
}

// permit gives a copy the permissions of what it is a copy of: what is hidden from somebody there is hidden here.
func (r *archiveRun) permit(source *schema.Base, t *archive.Table, made *catalog.NewTable) error {
	for _, known := range source.Tables {
		if known.PublicID() != t.ID {
			continue
		}
		if known.Permission != nil {
			made.Permission = r.permission(known.Permission)
		}
		for i := range t.Fields {
			f := known.FieldByID(t.Fields[i].ID)
			if f == nil {
				return changedMeanwhile(t)
			}
			if f.Permission != nil {
				made.Fields[i].Permission = r.permission(f.Permission)
			}
			if f.Link == nil || r.in.Table == uuid.Nil {
				continue
			}
			if inverse := inverseOf(source, f); inverse != nil && inverse.Table != known {
				made.Fields[i].Inverse = &catalog.NewInverse{Single: inverse.Single(), Hidden: inverse.Hidden}
				if inverse.Permission != nil {
					made.Fields[i].Inverse.Permission = r.permission(inverse.Permission)
				}
			}
		}
		return nil
	}
	return changedMeanwhile(t)
}

func changedMeanwhile(t *archive.Table) error {
	return problem.Conflict("The table %q was changed while it was copied; copy it again.", t.Name)
}

func inverseOf(b *schema.Base, f *schema.Field) *schema.Field {
	for _, t := range b.Tables {
		for _, other := range t.Fields {
			if other.ID == f.Link.Inverse {
				return other
			}
		}
	}
	return nil
}

// permission is a permission with the new ids. It names people and groups of this organization, which stay.
func (r *archiveRun) permission(of any) json.RawMessage {
	if access, is := of.(*schema.Access); is && access == nil {
		return nil
	}
	return r.rename.JSON(jsonvalue.Must(of))
}
