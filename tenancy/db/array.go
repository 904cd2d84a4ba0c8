package db

import (
	"github.com/jackc/pgx/v5/pgtype"
)

// A BinaryArray is a parameter that is an array in PostgreSQL's binary form. The driver sends it as it is, if the
// parameter is an array of texts, numbers, booleans, dates, timestamps or UUIDs.
type BinaryArray []byte

// sendsBinaryArrays lets a connection send BinaryArray.
func sendsBinaryArrays(m *pgtype.Map) {
	for _, oid := range []uint32{
		pgtype.Float8ArrayOID, pgtype.BoolArrayOID, pgtype.DateArrayOID, pgtype.TimestamptzArrayOID,
		pgtype.UUIDArrayOID, pgtype.TextArrayOID, pgtype.Int8ArrayOID,
	} {
		if known, ok := m.TypeForOID(oid); ok {
			m.RegisterType(&pgtype.Type{Name: known.Name, OID: oid, Codec: arrayCodec{known.Codec}})
		}
	}
}

// An arrayCodec is the codec of the driver, and sends BinaryArray.
type arrayCodec struct{ pgtype.Codec }

func (c arrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(BinaryArray); ok && format == pgtype.BinaryFormatCode {
		return asItIs{}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

type asItIs struct{}

func (asItIs) Encode(value any, buf []byte) ([]byte, error) {
	return append(buf, value.(BinaryArray)...), nil //nolint:forcetypeassert // PlanEncode has looked
}
