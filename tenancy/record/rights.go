package record

import (
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Package operation has checked the role in the base. Where a table has permissions of its own, these decide.

func mayCreate(t *schema.Table) error {
	if rights, own := t.Rights(); own && !rights.Create {
		return lacks(t, "create")
	}
	return nil
}

func mayEdit(t *schema.Table) error {
	if rights, own := t.Rights(); own && !rights.Edit {
		return lacks(t, "change")
	}
	return nil
}

func mayUpsert(t *schema.Table) error {
	if err := mayCreate(t); err != nil {
		return err
	}
	return mayEdit(t)
}

func mayDelete(t *schema.Table) error {
	if rights, own := t.Rights(); own && !rights.Delete {
		return lacks(t, "delete")
	}
	return nil
}

func mayChangeAll(t *schema.Table, deletes bool) error {
	if deletes {
		return mayDelete(t)
	}
	return mayEdit(t)
}

// MayWrite returns an error unless the permissions of a table of the person's snapshot let them create, change or
// delete its records.
func MayWrite(t *schema.Table, creates, edits, deletes bool) error {
	for _, one := range []struct {
		asked bool
		may   func(*schema.Table) error
	}{{creates, mayCreate}, {edits, mayEdit}, {deletes, mayDelete}} {
		if one.asked {
			if err := one.may(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func lacks(t *schema.Table, does string) error {
	return problem.Forbidden("The permissions of the table %q do not let you %s its records; creators of the base "+
		"decide who may.", t.Name, does).
		WithCode(problem.CodeInsufficientRole)
}
