package rowhouse

import (
	"bytes"
	"encoding/json"
)

// decodePage reads a page. Records that the caller wants as they came are cut out of it, which takes a tenth of
// the time of decoding them.
func decodePage[T any](body []byte, page *Page[T]) error {
	if raw, ok := any(page).(*Page[json.RawMessage]); ok {
		records, rest, ok := cutRecords(body)
		if ok && json.Unmarshal(rest, raw) == nil && raw.Records == nil {
			raw.Records = records
			return nil
		}
		*raw = Page[json.RawMessage]{}
	}
	return json.Unmarshal(body, page)
}

var recordsFirst = []byte(`{"records":[`)

// cutRecords cuts the objects of the array records out of a page that begins with it, and returns the rest of
// the page as an object. It returns false for a page of another form.
func cutRecords(body []byte) (records []json.RawMessage, rest []byte, ok bool) {
	if !bytes.HasPrefix(body, recordsFirst) {
		return nil, nil, false
	}
	at := len(recordsFirst)
	for at < len(body) && body[at] == '{' {
		end := endOfObject(body, at)
		if end < 0 {
			return nil, nil, false
		}
		records = append(records, body[at:end:end])
		if at = end; at < len(body) && body[at] == ',' {
			at++
		}
	}
	if at+1 >= len(body) || body[at] != ']' {
		return nil, nil, false
	}
	if body[at+1] == ',' {
		at++
	}
	return records, append([]byte{'{'}, body[at+1:]...), true
}

// endOfObject returns the position behind the object that begins at a position, or -1 if it does not end.
func endOfObject(body []byte, at int) int {
	depth := 0
	for ; at < len(body); at++ {
		switch body[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"':
			if at = endOfString(body, at); at < 0 {
				return -1
			}
		}
	}
	return -1
}

// endOfString returns the position of the quote that ends the string that begins at a position, or -1.
func endOfString(body []byte, at int) int {
	for at++; at < len(body); at++ {
		next := bytes.IndexByte(body[at:], '"')
		if next < 0 {
			return -1
		}
		escape := bytes.IndexByte(body[at:at+next], '\\')
		if escape < 0 {
			return at + next
		}
		at += escape + 1 // over what is escaped
	}
	return -1
}
