package record

import "github.com/rowhouse/rowhouse/tenancy/query"

// A pageBuffer stores the records of a page in a few pieces, so that a large page is not copied while
// it grows.
type pageBuffer struct {
	piece []byte
	size  int // of all pieces
}

// pieceSize is the size from which on a piece takes no other record, in bytes.
const pieceSize = 64 << 10

func (b *pageBuffer) add(p *query.Projection, raw [][]byte, limit int) []byte {
	const likely = 512 // bytes of a record
	if b.piece == nil {
		b.piece = make([]byte, 0, likely*limit)
	}
	start := len(b.piece)
	if start > pieceSize {
		size := likely
		for _, value := range raw {
			size += len(value) + len(value)/16
		}
		b.piece, start = make([]byte, 0, max(size, pieceSize)), 0
	}
	b.piece = p.Append(b.piece, raw)
	record := b.piece[start:len(b.piece):len(b.piece)]
	b.size += len(record)
	return record
}
