package account

import (
	"time"

	"github.com/rowhouse/rowhouse/authz/limit"
)

// Every limit on password guesses and on mails. docs/reference/limits.md lists them for operators.
var (
	// The limits on signing in count only failed attempts, from devices that the account has not
	// signed in from before.
	signInByAddress = limit.Window{Name: "sign-in address", Max: 60, Period: 15 * time.Minute}
	// One address guessing at one account
	signInByPair = limit.Window{Name: "sign-in pair", Max: 10, Period: 15 * time.Minute}
	// Beyond this limit each guess is delayed (see guessThrottle), so that guesses from many
	// addresses never lock the owner out.
	signInByAccount = limit.Window{Name: "sign-in account", Max: 20, Period: time.Hour}
	// Failures in a row, which a right password or a reset of the password ends. After so many, the account takes a
	// password only from devices that it has signed in from before (NIST SP 800-63B, section 3.2.2).
	signInFailures = limit.Window{Name: "sign-in failures", Max: 100, Period: 30 * 24 * time.Hour}
	// From a device that the account has signed in from before
	signInByDevice = limit.Window{Name: "sign-in device", Max: 10, Period: 15 * time.Minute}
	passwordChange = limit.Window{Name: "password change", Max: 10, Period: 15 * time.Minute}

	signUpByAddress = limit.Window{Name: "sign-up address", Max: 30, Period: time.Hour}
	mailByAddress   = limit.Window{Name: "mail address", Max: 30, Period: time.Hour}
	mailByAccount   = limit.Window{Name: "mail account", Max: 5, Period: time.Hour} // for one purpose to one recipient

	invitationByPerson = limit.Window{
		Name: "invitation person", Max: 100, Period: time.Hour,
		Message: "You have invited as many people as you may within an hour. Wait a while, then go on.",
	}
	invitationByOrganization = limit.Window{
		Name: "invitation organization", Max: 300, Period: 24 * time.Hour,
		Message: "This organization has invited as many people as it may within a day. Go on tomorrow.",
	}
	// Comments beyond it appear only in the inbox.
	commentByRecipient = limit.Window{Name: "comment recipient", Max: 60, Period: time.Hour}
	// Over all organizations together.
	invitationByRecipient = limit.Window{
		Name: "invitation recipient", Max: 5, Period: time.Hour,
		Message: "This address was sent as many invitations as it may get within an hour. " +
			"Wait a while, then try again.",
	}
)
