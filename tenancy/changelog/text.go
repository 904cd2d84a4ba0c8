package changelog

import (
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// AppendTime writes the time of a number, which counts from 1970. AppendTimestamp counts from 2000.
func AppendTime(dst []byte, number int64) []byte {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	return field.AppendTimestamp(dst, number-epoch)
}

// AppendPerson writes {id, name}, or null for the service itself. The name is null for a person who has
// left the organization.
func AppendPerson(dst []byte, person *uuid.UUID, name *string) []byte {
	if person == nil {
		return append(dst, "null"...)
	}
	dst = field.AppendString(append(dst, `{"id":`...), id.Format(id.User, *person))
	dst = append(dst, `,"name":`...)
	if name == nil {
		return append(dst, "null}"...)
	}
	return append(field.AppendString(dst, *name), '}')
}
