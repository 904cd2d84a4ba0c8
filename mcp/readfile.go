package mcp

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
)

// A file is read as text, cut to as many characters as a result may have tokens, or as an image,
// which is a content block of its own.

// withTextLimit bounds the text that a call reads by the tokens that it may return.
func withTextLimit(input []byte, tokens int) ([]byte, error) {
	a, err := parseArguments(input)
	if err != nil {
		return nil, fmt.Errorf("parsing an input: %w", err)
	}
	if a.has("limit") {
		return input, nil
	}
	a.members = append(a.members, argument{"limit", strconv.AppendInt(nil, int64(bytesPerToken*tokens), 10)})
	return a.encode(), nil
}

// fitText cuts a text that has more tokens than allowed, and says where to continue.
func fitText(input, output []byte, budget int) ([]byte, error) {
	budget -= noteReserve
	asked, err := parseArguments(input)
	if err != nil {
		return nil, fmt.Errorf("parsing an input: %w", err)
	}
	answer, err := parseArguments(output)
	if err != nil {
		return nil, fmt.Errorf("reading a result to shorten it: %w", err)
	}
	whole, ok := answer.stringValue("text")
	if !ok {
		return output, nil
	}
	runes := []rune(whole)
	shown, low := len(runes), 0
	for !fits(output, budget) && low < shown-1 { // the longest beginning that fits
		middle := (low + shown) / 2
		answer.set("text", quote(string(runes[:middle])))
		answer.remove("nextOffset")
		next := strconv.AppendInt(nil, int64(asked.intValue("offset")+middle), 10)
		answer.members = append(answer.members, argument{"nextOffset", next})
		if candidate := answer.encode(); fits(candidate, budget) {
			low = middle
		} else {
			shown = middle
		}
	}
	switch {
	case low > 0:
		answer.set("text", quote(string(runes[:low])))
		answer.set("nextOffset", strconv.AppendInt(nil, int64(asked.intValue("offset")+low), 10))
		output = answer.encode()
	case !fits(output, budget):
		return truncate(output, budget, true)
	}
	if next := answer.intValue("nextOffset"); next > 0 {
		output = withNote(output, fmt.Sprintf("This is the text up to character %d of %d. Continue with offset: %d.",
			next, answer.intValue("length"), next))
	}
	return output, nil
}

// takeImage moves the image of a result to a content block of its own.
func takeImage(t *tool, output []byte) ([]byte, *sdk.ImageContent) {
	if t.form != operation.AnswerFile {
		return output, nil
	}
	answer, err := parseArguments(output)
	if err != nil {
		return output, nil
	}
	var image operation.AttachmentImage
	value := answer.value("image")
	if value == nil || json.Unmarshal(value, &image) != nil || image.Data == nil {
		return output, nil
	}
	block := &sdk.ImageContent{Data: image.Data, MIMEType: image.Type}
	image.Data = nil
	rest, err := json.Marshal(image)
	if err != nil {
		return output, nil
	}
	answer.set("image", rest)
	return answer.encode(), block
}
