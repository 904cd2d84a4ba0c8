package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// secretPrefix marks a secret (Standard Webhooks 1.0, "Symmetric").
const secretPrefix = "whsec_"

// The headers of a message.
const (
	headerID        = "webhook-id"
	headerTimestamp = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// sign returns the headers of a message: its id, the time of the attempt, and one signature for each
// secret.
func sign(messageID string, at time.Time, body []byte, secrets ...[]byte) map[string]string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = mac.Write([]byte(messageID + "." + seconds + ".")) // never fails
		_, _ = mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return map[string]string{
		headerID: messageID, headerTimestamp: seconds, headerSignature: strings.Join(signatures, " "),
	}
}
