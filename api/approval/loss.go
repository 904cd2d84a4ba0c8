package approval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Loss says in sentences what a call would destroy, or whom it would let in.
func Loss(
	ctx context.Context, deps *operation.Deps, op *operation.Operation, target operation.Target, input []byte,
) (string, error) {
	snapshot, err := deps.Schema.Cached(ctx, target.Org)
	if err != nil {
		return "", err
	}
	base := snapshot.Base(target.Base)
	switch {
	case op.Name == "delete_base" && base != nil:
		return fmt.Sprintf(
			"This deletes the base %q with its tables (%d) and all their records, which stay in the trash for a while.",
			base.Name,
			len(base.Tables),
		), nil
	case op.Name == "set_public_share" && base != nil:
		return fmt.Sprintf("This lets anyone who has its share id read the base %q without signing in. "+
			"disable_public_share ends that.", base.Name), nil
	case op.Name == "invite_member", op.Name == "set_member_role", op.Name == "remove_member":
		return describeMember(ctx, deps, op, target, input)
	case target.Table == nil:
	case op.Loss != "":
		return fmt.Sprintf(op.Loss, target.Table.Name), nil
	case op.Name == "delete_table":
		return fmt.Sprintf("This deletes the table %q of the base %q with all its records, which stay in the trash "+
			"for a while.",
			target.Table.Name, base.Name), nil
	case op.Name == "delete_field", op.Name == "update_field":
		name := id.Format(id.Field, target.ID)
		if f := snapshot.Field(target.ID); f != nil {
			name = f.Name
		}
		if op.Name == "update_field" {
			return fmt.Sprintf("This changes the field %q of the table %q and takes out the values that it can no "+
				"longer hold.", name, target.Table.Name), nil
		}
		return fmt.Sprintf("This deletes the field %q of the table %q with its values in every record, "+
			"which stay in the trash for a while.%s", name, target.Table.Name, brokenBy(snapshot, target.ID)), nil
	case op.Name == "delete_records":
		var in struct {
			IDs []string `json:"ids"`
		}
		if err := json.Unmarshal(input, &in); err != nil {
			return "", fmt.Errorf("reading the ids to delete: %w", err)
		}
		return fmt.Sprintf("This deletes %d records of the table %q, which stay in the trash for a while.",
			len(in.IDs), target.Table.Name), nil
	}
	return fmt.Sprintf("%s: this cannot be undone.", op.Title), nil
}

// describeMember describes a change of who may do what in an organization.
func describeMember(
	ctx context.Context, deps *operation.Deps, op *operation.Operation, target operation.Target, input []byte,
) (string, error) {
	var in struct {
		UserID string `json:"userId"`
		Email  string `json:"email"`
		Role   string `json:"role"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return "", fmt.Errorf("reading the input of %s: %w", op.Name, err)
	}
	if op.Name == "invite_member" {
		role := cmp.Or(in.Role, "viewer")
		return fmt.Sprintf("This invites %s to the organization with the role %s.", in.Email, role), nil
	}
	members, err := organization.ListMembers(ctx, deps.DB, target.Org)
	if err != nil {
		return "", err
	}
	name := in.UserID
	for _, m := range members {
		if id.Format(id.User, m.Person) == in.UserID {
			name = fmt.Sprintf("%s (%s)", m.Name, m.Email)
		}
	}
	if op.Name == "remove_member" {
		return fmt.Sprintf("This removes %s from the organization. They lose access at once.", name), nil
	}
	return fmt.Sprintf("This gives %s the role %s.", name, in.Role), nil
}

// brokenBy names the fields that show errors once a field is deleted.
func brokenBy(snapshot *schema.Snapshot, deleted uuid.UUID) string {
	f := snapshot.Field(deleted)
	if f == nil {
		return ""
	}
	var names []string
	for _, one := range snapshot.AffectedBy(f) {
		names = append(names, strconv.Quote(one.Table.Name+" · "+one.Name))
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n > maxNamed:
		names = append(names[:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
	}
	return " Until it is restored, these fields, which compute from it, show errors: " + strings.Join(names, ", ") + "."
}

// maxNamed is how many fields a question names.
const maxNamed = 10
