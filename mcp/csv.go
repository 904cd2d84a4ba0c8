package mcp

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
)

// The CSV of an export is one string, which is cut after whole rows.

const (
	csvName      = "csv"
	maxBytesName = "maxBytes"
	// bytesPerToken is more than the average of text, so that a call reads little more than it
	// returns.
	bytesPerToken = 4
)

// withMaxBytes bounds the CSV that a call reads by the tokens that it may return.
func withMaxBytes(input []byte, tokens int) ([]byte, error) {
	a, err := parseArguments(input)
	if err != nil {
		return nil, fmt.Errorf("parsing an input: %w", err)
	}
	if a.has(maxBytesName) {
		return input, nil
	}
	a.members = append(a.members, argument{maxBytesName, strconv.AppendInt(nil, int64(bytesPerToken*tokens), 10)})
	return a.encode(), nil
}

// countRows returns how many rows of a CSV text, whose first line names columns, fit into a number of tokens, and how
// many it has.
func countRows(text string, left int) (shown, total int) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.ReuseRecord = true
	from := int64(0)
	for {
		_, err := reader.Read()
		if err != nil { // io.EOF, as it was written here
			return max(shown-1, 0), max(total-1, 0)
		}
		to := reader.InputOffset()
		if left -= tokens(quote(text[from:to])); left >= 0 {
			shown++
		}
		total++
		from = to
	}
}

// csvNote says how much of an export a result contains, and how to continue; "" if it contains
// everything that input asked for.
func csvNote(input, output []byte) string {
	result, err := parseArguments(output)
	if err != nil || string(result.value("hasMore")) != strconv.FormatBool(true) || !result.has(csvName) {
		return ""
	}
	if asked, err := parseArguments(input); err == nil && asked.intValue("limit") == result.intValue("rows") {
		return ""
	}
	return fmt.Sprintf("Rows: %d of %d. Continue with the cursor; name fewer fields, or give maxTokens up to %d, to "+
		"get more at once. %s gives an address that has all of them in one file; so does the link beside "+
		"this text, if you see one.",
		result.intValue("rows"), result.intValue("total"), maxTokens, operation.CreateDownload.Name)
}

// resourceLinkVersion is the first revision whose results may contain links.
const resourceLinkVersion = "2025-06-18"

// downloadLink returns a link to the whole export if the result contains only a part; nil
// otherwise, or if the export is too long to describe in an address.
func (s *server) downloadLink(t *tool, c *caller, req *sdk.CallToolRequest, input, body []byte) *sdk.ResourceLink {
	if t.form != operation.AnswerCSV || req.ProtocolVersion() < resourceLinkVersion {
		return nil
	}
	answer, err := parseArguments(body)
	if err != nil || string(answer.value("hasMore")) != strconv.FormatBool(true) {
		return nil
	}
	var in operation.ExportIn
	if json.Unmarshal(input, &in) != nil {
		return nil
	}
	address, err := s.Deps.Download(c.Principal, in)
	if err != nil {
		return nil
	}
	return &sdk.ResourceLink{
		URI: address.URL, Name: "records.csv", Title: "All records of this export", MIMEType: "text/csv",
		Description: "All rows in one file, for whoever has this address, until " +
			address.ExpiresAt.Format("15:04:05 UTC") + ".",
	}
}
