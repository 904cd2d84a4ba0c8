package db

// The SQLSTATEs of Rowhouse: class RH, which PostgreSQL leaves to applications. gate.assert and the
// functions of the schema gate raise them. RH014 is raised and caught inside gate.change_horizon.
const (
	StateSchemaChanged  = "RH001" // the schema of the table is not the one that the statement was written for
	StateMissingRecord  = "RH002" // a record that the statement changes is not there
	StateMissingPerson  = "RH003" // a person in a value is not a member
	StateMissingFile    = "RH004" // a file in a value is not there
	StateRecordTooLarge = "RH005" // a record is larger than a record may be
	StateAnswerTooLarge = "RH006" // the response is larger than a response may be
	StateVersionChanged = "RH007" // a record does not have the version that If-Match names
	StateSuperseded     = "RH010" // a later run has taken the idempotent request over
	StateUploadExpired  = "RH011" // the reservation of an upload is not there any more
	StateQuotaExceeded  = "RH012" // the files of the organization would exceed its quota
	StateSessionEnded   = "RH013" // the session of the caller has ended
	StatePlanUsed       = "RH015" // the plan was applied before
	StateRowRule        = "RH017" // a row rule refuses the write of a record
	StateStale          = "RH016" // a mark concerns a column that the statement reads
	StateJobMoved       = "RH017" // another worker goes on with the job, or it was cancelled
	StateFormFull       = "RH018" // a form has had as many answers as it takes
	StateFilesWaiting   = "RH019" // the files for answers that are not sent yet would take too much room
	StateWrongKey       = "RH020" // the key is not the organization's
)
