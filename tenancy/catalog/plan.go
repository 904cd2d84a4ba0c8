package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A plan of a change of the schema runs the change, as far as necessary to know its effects, and rolls
// it back. The effects that the change reports (Weigh, Lose) go into a digest in the plan's token. The
// change that applies the plan reports them again, while writers of its tables wait, and is rolled back
// if the digest differs.

// An Impact is the effects of a change of the schema. For a change without a plan it has only the
// losses.
type Impact struct {
	Tables  int    `json:"tables,omitzero"`  // tables that would be deleted
	Records *int64 `json:"records,omitzero"` // records of these tables, or with a value of the field
	Lost    int    `json:"lost,omitzero"`    // values that would be lost though the field stays
	// Losses lists values that would be lost, and views and fields that would be deleted or stop
	// working, by their ids.
	Losses []problem.Item `json:"losses,omitzero"`
	Sample []plan.Sample  `json:"sample,omitzero"` // values of the field
	// Refusal says why the change would be refused. Such a plan has no token.
	Refusal string `json:"refusal,omitzero"`
	plan.Offer
}

// maxLosses bounds the losses that a plan lists.
const maxLosses = 50

// planning is the state of a change that Perform makes.
type planning struct {
	direct  bool       // there is no plan: it gathers losses and counts nothing
	applied *plan.Plan // nil if the change is only planned, or direct
	impact  Impact
	hash    *plan.Hash
}

// weighs reports whether the change reports its effects to a plan.
func (c *Change) weighs() bool { return c.planning != nil && !c.planning.direct }

// Planning returns the same store, which makes and applies plans with tokens.
func (s *Store) Planning(tokens *plan.Tokens) *Store {
	bound := *s
	bound.plans = tokens
	return &bound
}

// with returns the same store for one change that is planned or applies a plan.
func (s *Store) with(p *planning) *Store {
	bound := *s
	bound.planning = p
	return &bound
}

// ShowsValues reports whether plans and errors may quote values of records.
func (c *Change) ShowsValues() bool { return !c.blind }

// Perform makes a change, or plans it, or applies a plan of it, as a request says. change must make
// exactly one call of Change, with the given context and store.
func (s *Store) Perform(
	ctx context.Context, org uuid.UUID, r plan.Request, change func(ctx context.Context, s *Store) error,
) (Impact, error) {
	if err := r.Check(); err != nil {
		return Impact{}, err
	}
	switch {
	case r.Only:
		return s.foresee(ctx, &r, change)
	case r.Apply == "":
		bound := s.with(&planning{direct: true})
		if err := change(ctx, bound); err != nil {
			return Impact{}, err
		}
		return Impact{Losses: bound.planning.impact.Losses}, nil
	}
	applied, acting, err := s.plans.Accept(ctx, s.db, org, &r, time.Now())
	if err != nil {
		return Impact{}, err
	}
	bound := s.with(&planning{applied: applied})
	switch err = change(acting, bound); {
	case plan.IsUsed(err):
		err = plan.Used().Because(err)
	case problem.KindOf(err) == problem.KindConflict, problem.KindOf(err) == problem.KindNotFound:
		// Another request may have applied the same plan at the same moment.
		if used := plan.CheckUnused(ctx, s.db, org, db.ActorOf(acting).Plan); used != nil {
			err = used
		}
	}
	return Impact{Losses: bound.planning.impact.Losses}, err
}

// foresee runs a change and rolls it back.
func (s *Store) foresee(
	ctx context.Context, r *plan.Request, change func(ctx context.Context, s *Store) error,
) (Impact, error) {
	bound, made := s.with(&planning{}), time.Now()
	if err := change(ctx, bound); err != nil {
		return Impact{}, err
	}
	out := bound.planning.impact
	if out.Refusal != "" {
		return out, nil
	}
	var err error
	out.Offer, err = s.plans.Offer(&plan.Plan{
		Credential: r.Credential, Asked: r.Asked, Seen: bound.planning.hash.Digest(), Count: out.count(), Made: made,
	})
	return out, err
}

func (i *Impact) count() int {
	if i.Records == nil {
		return 0
	}
	return int(*i.Records)
}

// errForeseen rolls back a change that is only planned.
var errForeseen = errors.New("the change is only planned")

// begin resets the reports of an earlier attempt at the transaction.
func (p *planning) begin() {
	if p != nil {
		p.impact, p.hash = Impact{}, plan.NewHash()
	}
}

// end ends a change that has reported all its effects, or has failed. It returns errForeseen if the
// change was only planned, and an error if the effects differ from the plan.
func (p *planning) end(err error) error {
	if p == nil || p.direct {
		return err
	}
	var loss *problem.Error
	switch only := p.applied == nil; {
	case only && errors.As(err, &loss) && loss.Code == problem.CodeValuesWouldBeLost:
		p.impact.Refusal = loss.Message
		if len(p.impact.Losses) == 0 {
			p.impact.Losses = loss.Items
		}
		return errForeseen
	case err != nil:
		return err
	case only:
		return errForeseen
	case p.applied.Seen != p.hash.Digest():
		return plan.Moved(p.applied.Count, p.impact.count(),
			"values, fields, views or tables that it is about were changed")
	}
	return nil
}

// OnlyPlanned reports whether the change is only planned. It is rolled back, and need not alter anything.
func (c *Change) OnlyPlanned() bool { return c.weighs() && c.planning.applied == nil }

// Weigh reports the tables that the change deletes. The change must have locked them, and altered
// nothing yet.
func (c *Change) Weigh(ctx context.Context, tables ...*schema.Table) error {
	if c.planning == nil {
		return nil
	}
	if err := c.losesTables(ctx, tables); err != nil || !c.weighs() {
		return err
	}
	c.planning.impact.Tables = len(tables)
	var total int64
	for _, t := range tables {
		var records, writes int64
		err := c.QueryRow(ctx, "select coalesce(sum(records), 0)::bigint, coalesce(sum(writes), 0)::bigint from "+
			t.CountRelation()+" where table_number = $1", t.Number).Scan(&records, &writes)
		if err != nil {
			return fmt.Errorf("counting the records of a table: %w", err)
		}
		total += records
		// Each write of the table raises the number of writes (record_count).
		c.planning.weigh(t, records, writes)
	}
	c.planning.impact.Records = &total
	return nil
}

// WeighField reports a field whose values the change may lose. The change must have locked the table,
// and altered nothing yet.
func (c *Change) WeighField(ctx context.Context, f *schema.Field) error {
	if !c.weighs() {
		return nil
	}
	var from, owner, value string
	switch {
	case f.Link != nil:
		from, owner = f.Link.Relation(c.Org), "x."+f.Link.Own
		value = "concat_ws(' ', x.a, x.b, x.pos_a, x.pos_b)"
	case f.Info().Column != "":
		from, owner = f.Table.Relation(), "x.id"
		value = "x.id || ' ' || x." + f.Column() + "::text"
	default: // its values are not stored
		c.planning.weigh(f.Table, 0, 0)
		return nil
	}
	var records, digest int64
	err := c.QueryRow(ctx, "select count(distinct "+owner+") filter (where "+value+" is not null), "+
		"coalesce(bit_xor(hashtextextended("+value+", 0)), 0) from "+from+" x").Scan(&records, &digest)
	if err != nil {
		return fmt.Errorf("counting the values of a field: %w", err)
	}
	c.planning.weigh(f.Table, records, digest)
	c.planning.impact.Records = &records
	return nil
}

// weighView reports a view that the change deletes. A change of any view of the table raises the table's version.
func (c *Change) weighView(v *schema.View) {
	if c.weighs() {
		c.planning.weigh(v.Table)
	}
	c.Lose(0, problem.Item{Path: v.PublicID(), Message: fmt.Sprintf(
		"the view %q of the table %q would go", v.Name, v.Table.Name)})
}

func (p *planning) weigh(t *schema.Table, numbers ...int64) {
	p.hash.Write(t.PublicID(), t.Name)
	p.hash.WriteNumber(t.Version)
	for _, n := range numbers {
		p.hash.WriteNumber(n)
	}
}

// Lose reports the number of values that the change loses, and what is lost or stops working.
func (c *Change) Lose(values int, losses ...problem.Item) {
	p := c.planning
	if p == nil {
		return
	}
	p.impact.Lost += values
	p.hash.WriteNumber(int64(values))
	for _, one := range losses {
		p.hash.Write(one.Path, one.Message)
		if len(p.impact.Losses) < maxLosses {
			p.impact.Losses = append(p.impact.Losses, one)
		}
	}
}

// Show adds a record to the sample of a plan, unless that is full: the value of a field as JSON before
// and after. after is nil if the field itself is deleted.
func (c *Change) Show(f *schema.Field, row uuid.UUID, before, after []byte) {
	if !c.OnlyPlanned() || !c.ShowsValues() || len(c.planning.impact.Sample) >= plan.MaxSample {
		return
	}
	one := plan.Sample{
		ID: id.FormatRecord(f.Table.Number, row), Before: map[string]json.RawMessage{f.Name: before},
	}
	if after != nil {
		one.After = map[string]json.RawMessage{f.Name: after}
	}
	c.planning.impact.Sample = append(c.planning.impact.Sample, one)
}

// valuesOf reads the values of a field as JSON, by record. A record without one has null.
func (c *Change) valuesOf(ctx context.Context, f *schema.Field, condition string, args ...any) (
	records []uuid.UUID, values [][]byte, err error,
) {
	selected := f.Kind.Select(&f.Field)
	rows, err := c.Query(ctx, "select t.id, "+selected+" from "+f.Table.Relation()+" t where "+condition+
		" order by t.id limit "+strconv.Itoa(plan.MaxSample), args...)
	if err != nil {
		return nil, nil, fmt.Errorf("reading values for a plan: %w", err)
	}
	defer rows.Close()
	write := f.Kind.Encoder(&f.Field, nil)
	for rows.Next() {
		raw, value := rows.RawValues(), []byte("null")
		if raw[1] != nil {
			value = write(nil, raw[1])
		}
		records, values = append(records, uuid.UUID(raw[0])), append(values, value)
	}
	return records, values, rows.Err()
}

// showValues adds the first values of a field that the change deletes to the sample of a plan.
func (c *Change) showValues(ctx context.Context, f *schema.Field) error {
	var holds string
	switch {
	case !c.OnlyPlanned():
		return nil
	case f.Link != nil:
		holds = "exists (select from " + f.Link.Relation(c.Org) + " x where x." + f.Link.Own + " = t.id)"
	case f.Info().Column != "":
		holds = "t." + f.Column() + " is not null"
	default:
		return nil
	}
	records, values, err := c.valuesOf(ctx, f, holds)
	for i := range records {
		c.Show(f, records[i], values[i], nil)
	}
	return err
}
