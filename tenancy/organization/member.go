package organization

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A Member is a person in an organization.
type Member struct {
	Person uuid.UUID
	Email  string
	Name   string
	Role   Role
	Since  time.Time
}

// ListMembers returns an organization's members in the order in which they joined.
func ListMembers(ctx context.Context, tenantDB *db.DB, org uuid.UUID) ([]Member, error) {
	var members []Member
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select m.person_id as person, p.email, p.name, m.role, m.created_at as since
			from rowhouse.member m join rowhouse.person p on p.id = m.person_id
			where m.org_id = $1 order by m.created_at, m.person_id`, org).Query(func(rows pgx.Rows) error {
			var err error
			members, err = pgx.CollectRows(rows, pgx.RowToStructByName[Member])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing the members: %w", err)
	}
	return members, nil
}

// SetRole changes a member's role. Only an owner may make an owner or change one, and the last
// owner keeps that role. Pending invitations that the member could no longer send are deleted.
func SetRole(ctx context.Context, tenantDB *db.DB, org uuid.UUID, actor Role, person uuid.UUID, role Role) error {
	return changeMember(ctx, tenantDB, org, person, func(tx pgx.Tx, present Role, name string, owners int) error {
		if (role == Owner || present == Owner) && actor != Owner {
			return problem.Forbidden("Only an owner may make an owner or change one.").
				WithCode(problem.CodeInsufficientRole)
		}
		if present == Owner && role != Owner && owners == 1 {
			return problem.Conflict(
				"The last owner of an organization keeps that role; make somebody else an owner first.",
			).WithCode(problem.CodeLastOwner)
		}
		_, err := tx.Exec(ctx, "update rowhouse.member set role = $3 where org_id = $1 and person_id = $2",
			org, person, role)
		if err != nil {
			return fmt.Errorf("setting the role: %w", err)
		}
		detail := map[string]any{"name": name, "from": present, "to": role}
		if err := noteInvitations(ctx, tx, org, person, detail); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{
			Action:  "set_member_role",
			Subject: id.Format(id.User, person),
			Detail:  detail,
		})
	})
}

// RemoveMemberIn removes a person from an organization, in a transaction whose caller records the returned event. Only
// an owner may remove an owner, and the last owner cannot be removed. The person's pending invitations are deleted.
func RemoveMemberIn(
	ctx context.Context, tenantDB *db.DB, tx pgx.Tx, org uuid.UUID, actor Role, person uuid.UUID,
) (*audit.Event, error) {
	present, name, owners, err := lockMember(ctx, tx, org, person)
	if err != nil {
		return nil, err
	}
	if present == Owner && actor != Owner {
		return nil, problem.Forbidden("Only an owner may remove an owner.").WithCode(problem.CodeInsufficientRole)
	}
	if present == Owner && owners == 1 {
		return nil, problem.Conflict(
			"The last owner cannot leave an organization; make somebody else an owner first.",
		).WithCode(problem.CodeLastOwner)
	}
	if _, err := tx.Exec(
		ctx, "delete from rowhouse.member where org_id = $1 and person_id = $2", org, person,
	); err != nil {
		return nil, fmt.Errorf("removing the member: %w", err)
	}
	action := "remove_member"
	if db.ActorOf(ctx).Person == person {
		action = "leave_org"
	}
	detail := map[string]any{"name": name, "role": present}
	if err := noteInvitations(ctx, tx, org, person, detail); err != nil {
		return nil, err
	}
	return &audit.Event{Action: action, Subject: id.Format(id.User, person), Detail: detail}, nil
}

// CredentialsOf counts the API keys and the connected apps with which a person reaches an organization.
func CredentialsOf(ctx context.Context, tenantDB *db.DB, org, person uuid.UUID) (keys, apps int, err error) {
	err = tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select count(*) from rowhouse.api_key where person_id = $1 and revoked_at is null and
			coalesce(expires_at > now(), true) and coalesce(only_org = $2, true)`, person, org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&keys) })
		b.Queue(`select count(distinct client_id) from rowhouse.oauth_grant where person_id = $1 and
			redeemed_at is not null and revoked_at is null and expires_at > now() and coalesce(only_org = $2, true)`,
			person, org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&apps) })
	})
	if err != nil {
		return 0, 0, fmt.Errorf("counting the credentials of a member: %w", err)
	}
	return keys, apps, nil
}

// noteInvitations deletes the invitations that a member whose role changed can no longer send, and
// adds them to the event's detail.
func noteInvitations(ctx context.Context, tx pgx.Tx, org, person uuid.UUID, detail map[string]any) error {
	ended, err := endInvitations(ctx, tx, org, person)
	if len(ended) > 0 {
		detail["endedInvitations"] = ended
	}
	return err
}

// changeMember locks a member as lockMember does. change gets the member's role and name.
func changeMember(
	ctx context.Context,
	tenantDB *db.DB,
	org, person uuid.UUID,
	change func(tx pgx.Tx, present Role, name string, owners int) error,
) error {
	return tenantDB.Tx(ctx, org, func(tx pgx.Tx) error {
		present, name, owners, err := lockMember(ctx, tx, org, person)
		if err != nil {
			return err
		}
		return change(tx, present, name, owners)
	})
}

// lockMember locks the organization's owners and the member, so that two owners cannot demote each other
// concurrently. It returns the member's role and name, and how many owners there are.
func lockMember(
	ctx context.Context, tx pgx.Tx, org, person uuid.UUID,
) (present Role, name string, owners int, err error) {
	rows, err := tx.Query(ctx, `select person_id, role from rowhouse.member
		where org_id = $1 and (role = 'owner' or person_id = $2) order by person_id for update`, org, person)
	if err != nil {
		return "", "", 0, fmt.Errorf("locking the members: %w", err)
	}
	var each uuid.UUID
	var role Role
	_, err = pgx.ForEachRow(rows, []any{&each, &role}, func() error {
		if role == Owner {
			owners++
		}
		if each == person {
			present = role
		}
		return nil
	})
	if err != nil {
		return "", "", 0, fmt.Errorf("locking the members: %w", err)
	}
	if present == "" {
		return "", "", 0, problem.NotFound("member", id.Format(id.User, person))
	}
	if err := tx.QueryRow(ctx, "select name from rowhouse.person where id = $1", person).Scan(&name); err != nil {
		return "", "", 0, fmt.Errorf("reading the name of a member: %w", err)
	}
	return present, name, owners, nil
}

// Get returns organizations, with one transaction each. Organizations that no longer
// exist are left out.
func Get(ctx context.Context, tenantDB *db.DB, orgs []uuid.UUID) ([]Organization, error) {
	found := make([]Organization, 0, len(orgs))
	for _, org := range orgs {
		one := Organization{ID: org}
		err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("select name, icon from rowhouse.organization where org_id = $1", org).
				QueryRow(func(row pgx.Row) error { return row.Scan(&one.Name, &one.Icon) })
		})
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the organization: %w", err)
		}
		found = append(found, one)
	}
	return found, nil
}

// Update changes an organization's name and icon, a schema.Icon that was checked. What is nil stays.
func Update(ctx context.Context, tenantDB *db.DB, org uuid.UUID, name *string, icon json.RawMessage) error {
	event := audit.Event{Action: "update_org", Subject: id.Format(id.Org, org)}
	if name != nil {
		clean, err := naming.Clean("name", *name)
		if err != nil {
			return err
		}
		name, event.Detail = &clean, map[string]string{"name": clean}
	}
	err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue("update rowhouse.organization set name = coalesce($2, name), icon = coalesce($3, icon) "+
			"where org_id = $1", org, name, icon)
		audit.Record(ctx, batch, org, &event)
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("changing the organization: %w", err)
	}
	return nil
}
