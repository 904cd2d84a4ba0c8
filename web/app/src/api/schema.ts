// Written by `npm run generate` from the OpenAPI document 7baa8ce094a10bf1e8ec0cf4f1fd9cf1ab1b8a314dadda99c89185400673c210; not to be edited.

export interface paths {
    "/api/v1/bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every base that you can access, of all your organizations.
         * @description Returns ids and names. Begin here, then call describe_base for tables and fields.
         */
        get: operations["list_bases"];
        put?: never;
        /**
         * Create an empty base.
         * @description Give workspaceId, or orgId for its default workspace; neither if you belong to one organization. Returns its id; add tables with create_table.
         */
        post: operations["create_base"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a base with its tables, fields and views.
         * @description Call it before you read or write records: other tools take the names and options that it returns. detail names is far shorter; tableIds chooses tables.
         */
        get: operations["describe_base"];
        put?: never;
        post?: never;
        /**
         * Delete a base with all its tables and records.
         * @description An admin can restore it from the trash in the application for a while. With plan, says what would go. Returns the id in deleted.
         */
        delete: operations["delete_base"];
        options?: never;
        head?: never;
        /**
         * Change a base's name, icon or timeZone, or move it to another workspace.
         * @description timeZone decides what today is in filters and formulas. What is not given stays. Returns its id.
         */
        patch: operations["update_base"];
        trace?: never;
    };
    "/api/v1/bases/{baseId}/change-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was changed in a base, newest first.
         * @description Returns for each change set who, when, with which key or app, and what: how many records of which tables, which fields and views. revert_changes takes the time. list_changes has every value.
         */
        get: operations["list_change_sets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every change of a base since a cursor, oldest first, with before and after.
         * @description Use it to follow a base; list_change_sets sums up. Without a cursor you get that of now. Kind schema needs schema:read.
         */
        get: operations["list_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/changes/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back changes: change sets by id, or all by a credential since a moment.
         * @description All or none; what others have changed since is a conflict. Call it with dryRun first, which returns what would happen. A revert is a change set and can be reverted. To bring back what was deleted, restore does too.
         */
        post: operations["revert_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Watch the changes of a base. */
        get: operations["watch_base"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say that you have a base open, and which cell is yours.
         * @description Those who watch the base are told. It is forgotten after expiresIn seconds; say it again before. left takes it back.
         */
        put: operations["set_presence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the records of a base that have all the given words, in any field and any order.
         * @description Words are also found as parts of others, ignoring case and accents. If nothing has them, words of four letters and more are found with one letter wrong, missing or too many. Times in English, as last March, Q2 2026 or 3 May, are looked for in dates. The best come first: those whose primary value is what was searched for, begins with it, or has it.
         */
        get: operations["search_base"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether anyone can read a base without signing in.
         * @description Returns its share id, or null; the page is at {service}/share/{publicShareId}.
         */
        get: operations["get_public_share"];
        /**
         * Make a base readable by anyone who has its share id, without signing in.
         * @description Returns the share id. regenerate replaces it; the old one stops working at once. To give one person access, use invite_member.
         */
        put: operations["set_public_share"];
        post?: never;
        /**
         * Stop sharing a base publicly.
         * @description The share id stops working at once. Returns null as the share id.
         */
        delete: operations["disable_public_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run one SELECT of PostgreSQL over the tables of a base.
         * @description For questions that join tables or that aggregate_records cannot answer. Quote names with spaces; case does not matter. Each table also has id (to join), record_id (for tools), created_at, updated_at. A link is a table "Table__Field" with id, linked_id, position. Returns columns and rows.
         */
        post: operations["query_sql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables of a base, ids and names alone.
         * @description describe_base has fields and views as well.
         */
        get: operations["list_tables"];
        put?: never;
        /**
         * Create a table, optionally with its fields.
         * @description One call makes the whole table: fields are as in create_field. The first text-like field becomes primary; without one, a text field Name is added. Returns its id.
         */
        post: operations["create_table"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was deleted in a base, latest first.
         * @description Returns records, tables, fields and views with the ids that restore takes, and who deleted them when.
         */
        get: operations["list_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete items of the trash for good, at once.
         * @description They cannot be restored afterwards.
         */
        post: operations["purge_trash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring back deleted records, tables, fields or views by their ids, which deletions and list_trash return.
         * @description All or none. A taken name gets " (restored)". A field of an earlier type undoes a change of type. Returns what is back, and notes on what is not. All but records needs schema:write too.
         */
        post: operations["restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a base.
         * @description A webhook sends the changes of a base to a URL.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Have the changes of a base sent to a URL.
         * @description Messages follow Standard Webhooks 1.0: verify them with the secret, which is shown once. Changes come at least once, and those of a record in order. Without values, read the records that changed. The credential needs data:read and schema:read too.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook, and whether it works.
         * @description It has no secret; replace a lost one with rotate_webhook_secret.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries.
         * @description What waits is not sent. A message that is on its way arrives.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change what a webhook tells of, or enable or disable it.
         * @description What is not given stays. You become the owner of a webhook that you enable or of which you change more than the name. With a cursor it goes on from there, and what waited is dropped. The credential needs data:read and schema:read too.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, latest first.
         * @description The latest 1,000 are kept, for at most 30 days.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries/{deliveryId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, or at once if it waits.
         * @description It keeps its webhook-id. See list_webhook_deliveries for the answer.
         */
        post: operations["send_webhook_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook.
         * @description Messages are signed with the former secret too, for a day.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comments/{commentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one comment.
         * @description Changes of a base name comments by their ids.
         */
        get: operations["get_comment"];
        put?: never;
        post?: never;
        /**
         * Delete a comment for good.
         * @description Its author and admins may. The first comment of a thread that has replies leaves an empty place, with deletedAt.
         */
        delete: operations["delete_comment"];
        options?: never;
        head?: never;
        /**
         * Change the text of your own comment.
         * @description Notifies those whom it mentions for the first time.
         */
        patch: operations["update_comment"];
        trace?: never;
    };
    "/api/v1/comments/{commentId}/resolution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Resolve the thread of a comment, or open it again.
         * @description Returns the first comment of the thread, with resolvedAt and resolvedBy if it is resolved.
         */
        put: operations["resolve_comment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/downloads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an export from a download address.
         * @description The address is that of create_download. It ends with the credential with which it was made.
         */
        get: operations["fetch_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/field-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The types that a field may have.
         * @description Returns, for each type, the JSON Schemas of its values and of its config, its filter operators with the operand that each compares with, its aggregate functions, and what else a field of the type can do. It is the same for every caller.
         */
        get: operations["list_field_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fields/{fieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one field.
         * @description Returns its name, type and configuration. describe_table has all of a table.
         */
        get: operations["get_field"];
        put?: never;
        post?: never;
        /**
         * Delete a field with its values.
         * @description To empty it and keep the field, use update_records_where. Deleting a link deletes its other side. restore brings it back. With plan, says what would go. Returns the id in deleted.
         */
        delete: operations["delete_field"];
        options?: never;
        head?: never;
        /**
         * Change a field's name, type, configuration, visibility or width.
         * @description A change of type converts the values. What would lose values or break a view's filter is refused unless discard is true; with plan, says first what would be lost. Returns its id.
         */
        patch: operations["update_field"];
        trace?: never;
    };
    "/api/v1/imports/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say how a file of CSV or TSV is read, and propose a type for each column.
         * @description What preview_import does, for files up to 50 MB.
         */
        post: operations["preview_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say how a file of CSV or TSV is read, and propose a type for each column.
         * @description Finds the encoding, the delimiter, the row that names the columns, and how each column writes numbers and dates. With columns, checks every value for a field of that type. POST files over 3 MB to /imports/file.
         */
        post: operations["preview_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments that mention you and the replies to you, the latest first.
         * @description Those about deleted records are left out; a page may be short although nextCursor is set.
         */
        get: operations["list_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say who you are: your user id, scopes, organizations with your role in each, and the bases that you can access.
         * @description Returns your roles too. Call it when you need an orgId or do not know your rights; list_bases has the bases alone.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organizations that you belong to.
         * @description Returns their ids and names and your role in each. get_me has them too, with bases and scopes.
         */
        get: operations["list_orgs"];
        put?: never;
        /**
         * Create an organization, which you own.
         * @description Returns its id. It has one workspace; add bases with create_base. You can own 20. To work with others in an existing one, an admin there invites you.
         */
        post: operations["create_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one organization.
         * @description Returns its name and your role in it. list_orgs has all of yours.
         */
        get: operations["get_org"];
        put?: never;
        post?: never;
        /**
         * Delete an organization with its workspaces, bases, records and members, for good.
         * @description Nothing restores it; to delete one base, use delete_base. Returns the id in deleted. Needs the role owner.
         */
        delete: operations["delete_org"];
        options?: never;
        head?: never;
        /**
         * Rename an organization.
         * @description Returns its id. Needs the role owner.
         */
        patch: operations["update_org"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed schemas, shares, members and credentials, newest first.
         * @description Also bulk writes. For changes of records, use list_change_sets or get_record_history. Returns events, and a cursor for more.
         */
        get: operations["list_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark items of your inbox as read: those with ids, those about a record, or all.
         * @description What is read already, or not there, is passed over.
         */
        post: operations["mark_inbox_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending and expired invitations of an organization.
         * @description Returns who was invited, by whom, with which role and until when. list_members has those who have joined.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite a person to an organization by e-mail.
         * @description Sends a link, valid for 14 days, and returns the invitation. Inviting again sends another; all of them grant the new role and end with revoke_invitation.
         */
        post: operations["invite_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a pending invitation.
         * @description Its link stops working at once. Returns the id in deleted. For somebody who has joined, use remove_member.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an organization yourself.
         * @description You lose access at once. Its last owner cannot leave: make somebody owner with set_member_role first, or use delete_org. Returns the id in deleted.
         */
        post: operations["leave_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an organization with their roles.
         * @description Returns user ids, names and e-mail addresses. User fields take these ids, or with typecast the names.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from an organization.
         * @description They lose access at once; what they wrote stays. losses lists what ends with them or goes on naming them. With plan, says so first. Returns the user id in deleted. To leave yourself, use leave_org. Only an owner removes an owner.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Change a member's role.
         * @description A viewer reads; an editor also writes records; an admin also changes schemas and members; an owner may do everything. Returns the user id. Only an owner changes owners.
         */
        patch: operations["set_member_role"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how you are told of comments that mention you and of replies to you.
         * @description Both are on unless you have turned them off.
         */
        get: operations["get_notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose how you are told of comments that mention you and of replies to you.
         * @description What is not given stays as it is.
         */
        patch: operations["set_notifications"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how long deleted things and history are kept.
         * @description Also returns what the history takes on disk and from when it reaches.
         */
        get: operations["get_retention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was deleted in all bases, and deleted bases, latest first.
         * @description Give the ids of bases to restore_bases, and other ids to restore.
         */
        get: operations["list_org_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete bases in the trash for good, at once.
         * @description They cannot be restored afterwards.
         */
        post: operations["purge_bases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore deleted bases with their tables and records.
         * @description All or none. A public share of a base does not come back.
         */
        post: operations["restore_bases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces of an organization.
         * @description Workspaces group bases; the first is the default. Returns ids, names and colours.
         */
        get: operations["list_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one record with all its fields.
         * @description Returns its id, createdTime, version and fields, links as ids; fetch has them by name. query_records reads many.
         */
        get: operations["get_record"];
        put?: never;
        post?: never;
        /**
         * Delete one record.
         * @description restore brings it back. delete_records takes up to 100. Returns the id in deleted.
         */
        delete: operations["delete_record"];
        options?: never;
        head?: never;
        /**
         * Update one record.
         * @description Merges fields into it; null or an empty string clears one. Returns the record. update_records takes up to 100.
         */
        patch: operations["update_record"];
        trace?: never;
    };
    "/api/v1/records/{recordId}/attachments/{attachmentId}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the text of a file in a record, or a small copy of an image.
         * @description Text, CSV, JSON, Markdown, HTML, PDF; JPEG, PNG, GIF, WebP. The record has the attachmentId. Returns text, and nextOffset where it goes on.
         */
        get: operations["read_attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a record, the latest thread first.
         * @description Returns texts, authors and moments; those of a thread have one threadId. Answer with create_comment.
         */
        get: operations["list_comments"];
        put?: never;
        /**
         * Comment on a record, or reply to a comment.
         * @description @[Name](usr_…) mentions and notifies a member. To change values, use update_records. Returns the comment.
         */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of one record, even a deleted one, newest first.
         * @description Returns who changed which fields from what to what, when and with which key or app. revert_changes takes the time. list_change_sets tells of a whole base.
         */
        get: operations["get_record_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set one record's stored fields and links to what they were at a moment or a version.
         * @description It takes back what anybody has changed in the record since, as a new change set. With dryRun, says what would change. Returns each change and notes on what does not come back. revert_changes takes back change sets; restore what was deleted.
         */
        post: operations["restore_record_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one table with its fields and views.
         * @description Returns types, options and configuration. describe_base has all tables of a base.
         */
        get: operations["describe_table"];
        put?: never;
        post?: never;
        /**
         * Delete a table with all its records, and the link fields that point to it.
         * @description To delete records alone, use delete_records_where. restore brings all back. With plan, says what would go. Returns the id in deleted.
         */
        delete: operations["delete_table"];
        options?: never;
        head?: never;
        /**
         * Change a table's name or icon.
         * @description What is not given stays. Returns its id. For its columns, use create_field and update_field.
         */
        patch: operations["update_table"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of up to 1 MB for use in records of the table.
         * @description Returns its id; then write [{id}] to an attachment field. For a larger file, or one that is not text, use create_upload.
         */
        post: operations["create_attachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/comments/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the comments on records of a table.
         * @description records are ids of the table, up to 100. Records without a thread that is not resolved are left out. Without records, it says whether any record of the table has comments.
         */
        get: operations["count_comments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fields of a table.
         * @description Returns names, types, options and configuration. describe_table has the views as well.
         */
        get: operations["list_fields"];
        put?: never;
        /**
         * Add a field to a table.
         * @description config by type: options (selects); precision, symbol (numbers); max, icon (rating); format (duration, long_text, formula, rollup); dateFormat, timeFormat, timeZone (times); multiple (user); formula; linkFieldId, fieldId, filters (lookup, rollup, count), sorts, limit (lookup), function or formula (rollup); of all: required, unique, default, description. Links and buttons are made in the application. Returns id, name, type.
         */
        post: operations["create_field"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/formula/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a formula without saving it.
         * @description Returns the type of its values and those of five records, or its mistakes with their places and what may have been meant. Use it before create_field or update_field with a formula.
         */
        post: operations["check_formula"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/indexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the database indexes of a table.
         * @description They are made when a large table is filtered, sorted or searched, and dropped when unused; nobody has to ask for one.
         */
        get: operations["list_indexes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Filter, sort and page the records of a table.
         * @description Give format rows for more than a few: names once, ids short, links by name. eq on text is case-sensitive, contains is not. To count or sum, use aggregate_records. Returns the page, the exact total, and a cursor for more.
         */
        get: operations["query_records"];
        put?: never;
        /**
         * Create up to 100 records, or upsert them.
         * @description All or none. Give records, or fields for one. With upsertOn, 1 to 3 field names, a record with the same values is updated instead. For more than 100, use import_records. Returns the records, or with return ids their ids.
         */
        post: operations["create_records"];
        /**
         * Delete up to 100 records by their ids.
         * @description All or none. For all that a filter finds, use delete_records_where. restore brings them back. Returns the ids in deleted.
         */
        delete: operations["delete_records"];
        options?: never;
        head?: never;
        /**
         * Update up to 100 records by their ids.
         * @description All or none. Merges fields into each; null or an empty string clears one. To set the same values in many, use update_records_where. Returns the records, or with return ids their ids.
         */
        patch: operations["update_records"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count, sum and average records, in groups if you like.
         * @description Use it instead of reading records to add them up. Results are keyed as in sum(Price). A record with several links is in the group of each. Returns groups, or with format rows a table.
         */
        get: operations["aggregate_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the records of a table, or of a view or a filter, as CSV.
         * @description What POST on the same path answers in parts, without a bound.
         */
        get: operations["stream_records"];
        put?: never;
        /**
         * Export the records of a table, a view or a filter as CSV.
         * @description import_records takes it. Linked records, people and files are written by name. Returns the text, up to 5 MB or maxTokens, and a cursor for more. To look at some records, use query_records.
         */
        post: operations["export_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/export/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an address from which all records of a table, a view or a filter can be fetched as one CSV file.
         * @description Returns a url that needs no credential, for 15 minutes, as in curl -o FILE URL, so that a large table need not pass through you. It ends with your credential. To read rows yourself, use export_records or query_records.
         */
        post: operations["create_download"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or upsert records from CSV, up to 20,000 rows a call.
         * @description The first line names fields. Give csv, or file: the id of create_upload, which sends a large file past you. Values are converted and options of selects added; a link names records by id or primary value. If a row is refused, nothing is written, unless skipRefused leaves it out. With plan, says first what would happen. Returns counts, the lines that were refused and why, and of a longer file nextOffset, the offset of the next call.
         */
        post: operations["import_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/import/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create records from a part of a file, as preview_import divides it.
         * @description Rows that do not fit are left out and listed with their cells; the others are written, all or none, and their ids are returned. The parts of a file in one change set are one import.
         */
        post: operations["import_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge up to 20 duplicate records of a table into one, with their links and comments.
         * @description A field keeps the value of the kept record or, if that is empty, gets the first of the others in their order; fields decides otherwise. Multiple selects, several users, attachments and links to several records are united. Links to the others and their comments pass to the kept record, and the others go to the trash. With dryRun, changes nothing: returns the stored values and counts that would result. Returns the record. revert_changes undoes all of it.
         */
        post: operations["merge_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the records of one table that have a text in any field, ignoring case.
         * @description query_records combines search with filters and sorts; search looks in all bases, for words in any order. Returns a page as query_records does.
         */
        get: operations["search_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/selected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete every record that the filters and the search find, but those of except.
         * @description Without filters and search it deletes all records of the table. One request deletes up to 10,000, and more says that there are others: repeat it with the header Change-Set of the first answer, and revert_changes takes all of it back at once.
         */
        delete: operations["delete_selected_records"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/where": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete every record that the filters find, up to 10,000.
         * @description All or none, with plan and apply as in update_records_where. Returns the count. revert_changes undoes it.
         */
        delete: operations["delete_records_where"];
        options?: never;
        head?: never;
        /**
         * Set the same fields of every record that the filters find, up to 10,000.
         * @description set computes fields from the record, as {"Price": {"formula": "{Price} * 1.05"}}. All or none. With plan, changes nothing: returns how many would change, some before and after, and a planToken; the same call with apply carries it out, within ten minutes, once. Otherwise returns the count. revert_changes undoes it.
         */
        patch: operations["update_records_where"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for use in records of the table.
         * @description The body is the content; its Content-Type is ignored. Then write [{"id": …}] to an attachment field of the table.
         */
        post: operations["upload_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/uploads/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an address to which a file for the table can be sent without a credential, once, for 15 minutes.
         * @description Returns an id and a url: PUT the bytes there, as in curl -T FILE URL, so that a large file need not pass through you. The id then stands for the file: import_records takes it as file, and an attachment field takes [{id}]. The address ends with your credential. For up to 1 MB that you have already, use create_attachment.
         */
        post: operations["create_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the views of a table with their configuration.
         * @description Returns types and configuration. query_records with view applies the filters and sorts of one; describe_table has fields as well.
         */
        get: operations["list_views"];
        put?: never;
        /**
         * Create a view of a table.
         * @description type is grid, kanban, calendar, gallery or form; config is as in update_view. personal is for you and admins, locked is changed by admins alone. Returns id, name and type.
         */
        post: operations["create_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the limits of file uploads. */
        get: operations["get_upload_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send a file to an upload address.
         * @description The address is that of create_upload. The body is the content; its Content-Type is ignored. An address takes one file, and ends with the credential with which it was made.
         */
        put: operations["send_upload"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one view.
         * @description Returns its type and configuration. list_views has all of a table.
         */
        get: operations["get_view"];
        put?: never;
        post?: never;
        /**
         * Delete a view, and no records.
         * @description restore brings it back. A table keeps one view that everyone sees. With plan, says what would go. Returns the id in deleted.
         */
        delete: operations["delete_view"];
        options?: never;
        head?: never;
        /**
         * Change a view's name or configuration.
         * @description config sets the given keys and keeps the others: filters and sorts as in query_records, groupBy, hiddenFields, fieldOrder, rowHeight, columnWidths, coverFieldId, stackFieldId, startFieldId, endFieldId, form texts. unset removes keys. Returns its id.
         */
        patch: operations["update_view"];
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace in an organization, to group bases.
         * @description Returns its id, which create_base and update_base take.
         */
        post: operations["create_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an empty workspace.
         * @description Move or delete its bases first. The default workspace stays. Returns the id in deleted.
         */
        delete: operations["delete_workspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace's name, colour or icon.
         * @description What is not given stays. Returns its id.
         */
        patch: operations["update_workspace"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description about:blank, for the title is the status's own */
            type: string;
            title: string;
            status: number;
            /** @description what was wrong and what would be right */
            detail: string;
            /** @description machine-readable */
            code: string;
            requestId: string;
            /** @description every scope that the call needs, for code insufficient_scope */
            scopes?: string[];
            /** @description where a person can do in the application what was refused */
            openInApp?: string;
            /** @description each wrong place in the input */
            errors?: {
                path: string;
                message: string;
            }[];
            /** @description for code version_changed, the record as it is now; for revert_conflict, the plan with its conflicts */
            current?: Record<string, unknown>;
        };
    };
    responses: {
        /** @description Bad Request */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not Found */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Method Not Allowed */
        Problem405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Gone */
        Problem410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Precondition Failed */
        Problem412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Request Entity Too Large */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable Entity */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_bases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_base: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description the workspace to create it in */
                    workspaceId?: string;
                    /** @description create it in this organization's default workspace; needed only if you belong to several */
                    orgId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_base: {
        parameters: {
            query?: {
                /** @description names: what tables, fields and views are called, with types and without ids; default full */
                detail?: "names" | "full";
                /** @description only these tables */
                tableIds?: string[];
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        tables: {
                            fields: {
                                id: string;
                                /** @description the key in records */
                                name: string;
                                type: string;
                                isPrimary: boolean;
                                /** @description position among the fields, from 0 */
                                order: number;
                                /** @description option names of a select field */
                                options?: string[];
                                /** @description set on link fields */
                                linkedTableId?: string;
                                /** @description the service writes the values */
                                readOnly?: boolean;
                                hidden?: boolean;
                                width?: number;
                                config?: {
                                    description?: string;
                                    required?: boolean;
                                    unique?: boolean;
                                    default?: unknown;
                                    options?: {
                                        name: string;
                                        color?: string;
                                    }[];
                                    precision?: number;
                                    symbol?: string;
                                    max?: number;
                                    icon?: string;
                                    format?: string;
                                    dateFormat?: string;
                                    timeFormat?: string;
                                    timeZone?: string;
                                    linkedTableId?: string;
                                    inverseFieldId?: string;
                                    multiple?: boolean;
                                    label?: string;
                                    url?: string;
                                    formula?: string;
                                    resultType?: string;
                                    linkFieldId?: string;
                                    fieldId?: string;
                                    function?: string;
                                    filters?: unknown;
                                    sorts?: unknown;
                                    limit?: number;
                                };
                                /** @description why a computed field shows errors alone */
                                problem?: string;
                            }[] | {
                                [key: string]: string;
                            };
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                            id: string;
                            name: string;
                            views: {
                                id: string;
                                name: string;
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                                /** @description collaborative, personal or locked */
                                access?: string;
                                /** @description user id */
                                createdBy?: string;
                                /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                                problems?: {
                                    path: string;
                                    message: string;
                                }[];
                            }[] | {
                                [key: string]: string;
                            };
                        }[];
                        /** @description of the formulas, an IANA name */
                        timeZone: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_base: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_base: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                    /** @description move the base to this workspace */
                    workspaceId?: string;
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_change_sets: {
        parameters: {
            query?: {
                credential?: string;
                cursor?: string;
                /** @description full: with ids and whole values; default short */
                detail?: "short" | "full";
                limit?: number;
                person?: string;
                since?: string;
                table?: string;
                /** @description RFC 3339 */
                until?: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changeSets: {
                            credential: null | {
                                id: string;
                                kind?: string;
                                name?: string;
                            } | string;
                            did?: string[];
                            firstTime: string;
                            id: string;
                            isRevert?: boolean;
                            lastTime: string;
                            /** @description how many further things it did */
                            more?: number;
                            name: null | string;
                            person: null | {
                                id: string;
                                name: null | string;
                            } | string;
                            reverted?: boolean;
                            revertedBy: string[];
                            reverts: string[];
                            /** @description the first 20 */
                            schema: {
                                /** @description base, table, field, view, column or record */
                                object: string;
                                id: string;
                                name: string;
                                /** @description created, updated, deleted, restored or purged */
                                does: string;
                                /** @description properties */
                                changed?: string[];
                            }[];
                            schemaCount: number;
                            tables: {
                                id: string;
                                name: string;
                                inTrash?: boolean;
                                created: number;
                                updated: number;
                                deleted: number;
                                restored: number;
                                linked: number;
                            }[];
                            time?: string;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description or earliest */
                cursor?: string;
                kinds?: string[];
                limit?: number;
                tables?: string[];
                /** @description seconds */
                wait?: number;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: {
                            action?: string;
                            after: Record<string, unknown> | null;
                            before: Record<string, unknown> | null;
                            changeSet: string;
                            comment?: string;
                            credential: string;
                            cursor: string;
                            /** @description of the fields named */
                            fieldIds?: Record<string, unknown>;
                            id?: string;
                            /** @enum {string} */
                            kind: "created" | "updated" | "deleted" | "linked" | "restored" | "schema" | "commented";
                            /** @description by field; added and removed from the other side */
                            links?: Record<string, unknown>;
                            name?: string;
                            /** @enum {string} */
                            object?: "base" | "table" | "field" | "view";
                            person: {
                                id: string;
                                name: string | null;
                            } | null;
                            record?: string;
                            request: string;
                            /** @description the values came back with their field or table; the version of the record stayed */
                            returned?: boolean;
                            table: string | null;
                            thread?: string;
                            time: string;
                            version: number;
                        }[];
                        cursor: string;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revert_changes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description ids, or times of changes */
                    changeSets?: string[];
                    /** @description id; needs since */
                    credential?: string;
                    /** @description RFC 3339 */
                    since?: string;
                    /** @description answer the plan alone */
                    dryRun?: boolean;
                    /**
                     * @description default fail
                     * @enum {string}
                     */
                    onConflict?: "fail" | "skip" | "overwrite";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dryRun?: boolean;
                        /** @description what is reverted, the first 100 */
                        changeSets: string[];
                        /** @description that change */
                        records: number;
                        tables: {
                            tableId: string;
                            updated: number;
                            /** @description that the change sets created */
                            deleted: number;
                            /** @description that they deleted */
                            restored: number;
                        }[];
                        /** @description tables, fields and views that change */
                        schema?: {
                            /** @description base, table, field or view */
                            object: string;
                            id: string;
                            name: string;
                            /** @description restored, removed or updated */
                            does: string;
                        }[];
                        conflictCount: number;
                        /** @description the first 100 */
                        conflicts: {
                            tableId?: string;
                            /** @description none: a table, field or view */
                            recordId?: string;
                            /** @description none: the whole record */
                            fieldId?: string;
                            /** @description table, field, view or base */
                            objectId?: string;
                            /** @description of the object */
                            name?: string;
                            /** @description none: the whole object */
                            property?: string;
                            reason: string;
                            /** @description that the revert would write */
                            value?: unknown;
                            /** @description that is there now */
                            present?: unknown;
                            /** @description record that has the unique value */
                            holderId?: string;
                            by?: {
                                userId?: string;
                                credential?: string;
                                changeSet: string;
                                at: string;
                            };
                        }[];
                        /** @description fields that are gone */
                        leftOut?: {
                            tableId: string;
                            /** @description its number in the log */
                            field: string;
                            records: number;
                        }[];
                        /** @description what does not come back, and why; the first 100 */
                        notes?: string[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    watch_base: {
        parameters: {
            query?: {
                /** @description where to begin; the header Last-Event-ID goes before it, and without both it is now */
                cursor?: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. ready, with {cursor}, is the first. Each change is an event change, with a change as in list_changes, and its cursor as the id. presence, with {present}, tells who is in the base, as in set_presence. end, with {reason}, is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_presence: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description your name for the page, such as a UUID */
                    page: string;
                    /** @description id */
                    table?: string;
                    /** @description id; needs table */
                    record?: string;
                    /** @description id; needs table */
                    field?: string;
                    left?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description seconds after which it is forgotten; 0 if presence is not told now */
                        expiresIn: number;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    search_base: {
        parameters: {
            query: {
                limit?: number;
                q: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            tableId: string;
                            table: string;
                            /** @description the primary value */
                            title: string;
                            /** @description the first other field in which a word was found */
                            snippet?: string;
                            /** @description found with one letter different, as nothing has the words given */
                            typo?: boolean;
                            /** @description how many of the words it lacks, as nothing has all of them */
                            missing?: number;
                            /** @description of another time than asked for, as nothing of that time was found */
                            undated?: boolean;
                            /** @description higher is better */
                            score: number;
                        }[];
                        /** @description of the base */
                        tables: number;
                        /** @description how many of them were searched; fewer if time ran out */
                        searched: number;
                        hasMore: boolean;
                        /** @description how a time in q was understood: the first and the last day */
                        period?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_public_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_public_share: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    regenerate?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    disable_public_share: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    query_sql: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description one SELECT statement */
                    sql: string;
                    /**
                     * @description rows
                     * @default 1000
                     */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: {
                            name: string;
                            type: string;
                        }[];
                        /** @description PostgreSQL's estimate */
                        cost: number;
                        milliseconds: number;
                        rows: unknown[][];
                        /** @description there are more rows */
                        truncated: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_tables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tables: {
                            id: string;
                            name: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_table: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    fields?: {
                        name: string;
                        /** @enum {string} */
                        type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "formula" | "lookup" | "rollup" | "count" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                        /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                        config?: Record<string, unknown>;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_trash: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description record, table, field, view, column, base */
                kinds?: string[];
                limit?: number;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description column: the former column of a field whose type was changed */
                            kind: string;
                            /** @description of a record its primary value */
                            name: string;
                            base?: {
                                id: string;
                                name: string;
                            };
                            table?: {
                                id: string;
                                name: string;
                            };
                            deletedAt: string;
                            deletedBy?: {
                                id: string;
                                name: string;
                            };
                            keptUntil: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purge_trash: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        purged: string[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dryRun?: boolean;
                        restored: {
                            id: string;
                            kind: string;
                            /** @description changed if it was taken */
                            name: string;
                            /** @description what did not come back, and why */
                            notes?: string[];
                        }[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: {
                            id: string;
                            name: string;
                            url: string;
                            /** @description ids; empty: all, and the base itself */
                            tables: string[];
                            /** @description empty: all */
                            kinds: string[];
                            /** @description ids; empty: all */
                            fields: string[];
                            /** @description of records, before or after the change; empty: none */
                            filters: Record<string, unknown>[];
                            includeValues: boolean;
                            /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                            owner: {
                                id: string;
                                name: string;
                            };
                            createdAt: string;
                            /** @description up to where changes were told or wait in a delivery */
                            cursor: string;
                            enabled: boolean;
                            /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
                            disabledReason: null | string;
                            failingSince: null | string;
                            /** @description when a delivery that failed is tried again */
                            nextAttemptAt: null | string;
                            /** @description until when the former secret signs as well */
                            oldSecretUntil: null | string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https */
                    url: string;
                    name?: string;
                    /** @description ids; default all, and the base itself */
                    tables?: string[];
                    /** @description created, updated, deleted, linked, restored, schema, commented; default all */
                    kinds?: string[];
                    /** @description ids of fields of which updates and values are told; default all */
                    fields?: string[];
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    /** @description send before and after */
                    includeValues?: boolean;
                    /** @description where to begin, earliest, or now; default now */
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        url: string;
                        /** @description ids; empty: all, and the base itself */
                        tables: string[];
                        /** @description empty: all */
                        kinds: string[];
                        /** @description ids; empty: all */
                        fields: string[];
                        /** @description of records, before or after the change; empty: none */
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
                        createdAt: string;
                        /** @description up to where changes were told or wait in a delivery */
                        cursor: string;
                        enabled: boolean;
                        /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
                        disabledReason: null | string;
                        failingSince: null | string;
                        /** @description when a delivery that failed is tried again */
                        nextAttemptAt: null | string;
                        /** @description until when the former secret signs as well */
                        oldSecretUntil: null | string;
                        /** @description verifies messages; it is shown this once */
                        secret?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        url: string;
                        /** @description ids; empty: all, and the base itself */
                        tables: string[];
                        /** @description empty: all */
                        kinds: string[];
                        /** @description ids; empty: all */
                        fields: string[];
                        /** @description of records, before or after the change; empty: none */
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
                        createdAt: string;
                        /** @description up to where changes were told or wait in a delivery */
                        cursor: string;
                        enabled: boolean;
                        /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
                        disabledReason: null | string;
                        failingSince: null | string;
                        /** @description when a delivery that failed is tried again */
                        nextAttemptAt: null | string;
                        /** @description until when the former secret signs as well */
                        oldSecretUntil: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description https */
                    url?: string;
                    name?: string;
                    /** @description empty: all, and the base itself */
                    tables?: string[];
                    /** @description empty: all */
                    kinds?: string[];
                    /** @description empty: all */
                    fields?: string[];
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    includeValues?: boolean;
                    enabled?: boolean;
                    /** @description where to go on, earliest, or now */
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        url: string;
                        /** @description ids; empty: all, and the base itself */
                        tables: string[];
                        /** @description empty: all */
                        kinds: string[];
                        /** @description ids; empty: all */
                        fields: string[];
                        /** @description of records, before or after the change; empty: none */
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
                        createdAt: string;
                        /** @description up to where changes were told or wait in a delivery */
                        cursor: string;
                        enabled: boolean;
                        /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
                        disabledReason: null | string;
                        failingSince: null | string;
                        /** @description when a delivery that failed is tried again */
                        nextAttemptAt: null | string;
                        /** @description until when the former secret signs as well */
                        oldSecretUntil: null | string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                state?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            /** @description webhook-id of the message */
                            id: string;
                            /** @description pending, delivered or failed */
                            state: string;
                            changes: number;
                            /** @description it is about to be sent again */
                            sendAgain: boolean;
                            attempts: number;
                            createdAt: string;
                            attemptedAt: null | string;
                            nextAttemptAt: null | string;
                            /** @description of the last answer */
                            status: null | number;
                            /** @description the beginning of the last answer */
                            answer: null | string;
                            /** @description why there was no answer */
                            failure: null | string;
                            /** @description that the last attempt took */
                            milliseconds: null | number;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    send_webhook_delivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description it is shown this once */
                        secret?: string;
                        /** @description until when messages are signed with the former secret as well */
                        oldSecretUntil: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resolve_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resolved: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    fetch_download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV (RFC 4180) in UTF-8. The first line names the fields. A connection that ends before its last chunk is an export that failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_field_types: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fieldTypes: {
                            type: string;
                            title: string;
                            description: string;
                            /** @description JSON Schema of a value as it is read */
                            valueSchema: unknown;
                            /** @description JSON Schema of the config of a field of the type */
                            configSchema: unknown;
                            /** @description filter operators, in the order of menus */
                            operators: {
                                op: string;
                                /** @description the name of an operand */
                                operand: string;
                            }[];
                            /** @description functions of an aggregation */
                            aggregates: string[];
                            /** @description the service writes the values */
                            readOnly: boolean;
                            /** @description fields are created in the application only */
                            applicationOnly: boolean;
                            /** @description may be the primary field */
                            primary: boolean;
                            /** @description config.required may be set */
                            required: boolean;
                            /** @description config.unique may be set */
                            unique: boolean;
                            /** @description config.default may be set */
                            default: boolean;
                            /** @description may stand in sorts */
                            sortable: boolean;
                            /** @description may stand in groupBy */
                            groupable: boolean;
                            /** @description a search sees the values */
                            searchable: boolean;
                            /** @description may stand in upsertOn */
                            upsertKey: boolean;
                            /** @description what a view can use a field for: cover, stack, start or end */
                            viewRoles: string[];
                            /** @description types that a field of this type can be changed to */
                            convertsTo: string[];
                        }[];
                        operands: {
                            name: string;
                            description: string;
                            /** @description JSON Schema of the value; absent where there is none */
                            schema?: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description the key in records */
                        name: string;
                        type: string;
                        isPrimary: boolean;
                        /** @description position among the fields, from 0 */
                        order: number;
                        /** @description option names of a select field */
                        options?: string[];
                        /** @description set on link fields */
                        linkedTableId?: string;
                        /** @description the service writes the values */
                        readOnly?: boolean;
                        hidden?: boolean;
                        width?: number;
                        config?: {
                            description?: string;
                            required?: boolean;
                            unique?: boolean;
                            default?: unknown;
                            options?: {
                                name: string;
                                color?: string;
                            }[];
                            precision?: number;
                            symbol?: string;
                            max?: number;
                            icon?: string;
                            format?: string;
                            dateFormat?: string;
                            timeFormat?: string;
                            timeZone?: string;
                            linkedTableId?: string;
                            inverseFieldId?: string;
                            multiple?: boolean;
                            label?: string;
                            url?: string;
                            formula?: string;
                            resultType?: string;
                            linkFieldId?: string;
                            fieldId?: string;
                            function?: string;
                            filters?: unknown;
                            sorts?: unknown;
                            limit?: number;
                        };
                        /** @description why a computed field shows errors alone */
                        problem?: string;
                        /** @description fields that compute from it */
                        readBy?: {
                            id: string;
                            name: string;
                            tableId: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_field: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description fields that compute from it and show errors until it is restored */
                        broken?: {
                            id: string;
                            name: string;
                            tableId: string;
                        }[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description as in create_field; values are converted */
                    type?: string;
                    /** @description keys to change; null resets a key. Give all options; {name, previousName} renames one */
                    config?: Record<string, unknown>;
                    hidden?: boolean;
                    /** @description in pixels */
                    width?: number;
                    position?: number;
                    /** @description true: becomes the primary field, of text or a formula of text */
                    isPrimary?: boolean;
                    /** @description allow losing values that do not fit; views whose filters become invalid then show nothing */
                    discard?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_file: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @description the other members of the input of preview_import, before the file */
                    form?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        encoding: string;
                        delimiter: string;
                        hasHeader: boolean;
                        skippedRows: number;
                        rows: number;
                        unreadable: number;
                        columns: {
                            name: string;
                            samples: string[];
                            type: string;
                            options?: string[];
                            symbol?: string;
                            numbers: {
                                found: string;
                                style?: string;
                                examples?: string[];
                            };
                            dates: {
                                found: string;
                                style?: string;
                                examples?: string[];
                            };
                        }[];
                        parts: {
                            from: number;
                            to: number;
                            line: number;
                            rows: number;
                        }[];
                        refused: number;
                        refusals?: {
                            line: number;
                            column?: number;
                            field?: string;
                            message: string;
                            cells?: string[];
                        }[];
                        moreRefusals?: number;
                        newOptions?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_import: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description as utf-8 or windows-1252 */
                    encoding?: string;
                    /** @enum {string} */
                    delimiter?: "comma" | "semicolon" | "tab" | "pipe";
                    /** @description whether a row names the columns */
                    header?: boolean;
                    /** @description language of the person, as pl */
                    locale?: string;
                    /** @description fields to check values for; one without a type is skipped */
                    columns?: {
                        type?: string;
                        config?: unknown;
                        /**
                         * @description sign, where the columns leave it open
                         * @enum {string}
                         */
                        decimal?: "point" | "comma";
                        /**
                         * @description where the columns leave it open
                         * @enum {string}
                         */
                        dateOrder?: "DMY" | "MDY";
                    }[];
                    /** @description base64 */
                    content: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        encoding: string;
                        delimiter: string;
                        hasHeader: boolean;
                        skippedRows: number;
                        rows: number;
                        unreadable: number;
                        columns: {
                            name: string;
                            samples: string[];
                            type: string;
                            options?: string[];
                            symbol?: string;
                            numbers: {
                                found: string;
                                style?: string;
                                examples?: string[];
                            };
                            dates: {
                                found: string;
                                style?: string;
                                examples?: string[];
                            };
                        }[];
                        parts: {
                            from: number;
                            to: number;
                            line: number;
                            rows: number;
                        }[];
                        refused: number;
                        refusals?: {
                            line: number;
                            column?: number;
                            field?: string;
                            message: string;
                            cells?: string[];
                        }[];
                        moreRefusals?: number;
                        newOptions?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_inbox: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description only what you have not read */
                unread?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description mention or reply */
                            reason: string;
                            createdAt: string;
                            readAt: null | string;
                            orgId: string;
                            base: {
                                id: string;
                                name: string;
                            };
                            table: {
                                id: string;
                                name: string;
                            };
                            record: {
                                id: string;
                                name: string;
                            };
                            comment: {
                                id: string;
                                threadId: string;
                                recordId: string;
                                author: {
                                    id: string;
                                    name: null | string;
                                };
                                credential: string;
                                text: string;
                                mentions: {
                                    id: string;
                                    name: null | string;
                                }[];
                                createdAt: string;
                                editedAt?: string;
                                deletedAt?: string;
                                resolvedAt?: string;
                                resolvedBy?: {
                                    id: string;
                                    name: string;
                                };
                            };
                        }[];
                        /** @description at most 100, of all pages */
                        unread: number;
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the user's id */
                        id: string;
                        /**
                         * @description the kind of credential
                         * @enum {string}
                         */
                        kind: "api_key" | "oauth" | "session";
                        /** @description the scopes granted to the credential */
                        scopes: string[];
                        orgs: {
                            orgId: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                        }[];
                        /** @description the bases that the credential can access */
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_orgs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgs: {
                            id: string;
                            name: string;
                            /** @description your role: owner, admin, editor or viewer */
                            role: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_org: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_audit_events: {
        parameters: {
            query?: {
                action?: string;
                cursor?: string;
                limit?: number;
                since?: string;
                subject?: string;
                /** @description RFC 3339 */
                until?: string;
                userId?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            id: string;
                            time: string;
                            userId: null | string;
                            userName: null | string;
                            credentialKind?: string;
                            credentialId?: string;
                            requestId?: string;
                            action: string;
                            subject: string;
                            detail: Record<string, unknown>;
                            changeSet?: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    mark_inbox_read: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    items?: string[];
                    recordId?: string;
                    all?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgId: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: {
                            id: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            createdAt: string;
                            expiresAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    invite_member: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description default viewer
                     * @enum {string}
                     */
                    role?: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        /** @description owner, admin, editor or viewer */
                        role: string;
                        createdAt: string;
                        expiresAt: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    leave_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: {
                            userId: string;
                            name: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            /** @description when the person became a member */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_member: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_member_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the application */
                        inbox: boolean;
                        mail: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_notifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description in the application */
                    inbox?: boolean;
                    mail?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the application */
                        inbox: boolean;
                        mail: boolean;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_retention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description how long deleted things can be restored */
                        trashDays: number;
                        /** @description how long history is kept at least */
                        historyDays: number;
                        /** @description what the history takes on disk */
                        historyBytes: number;
                        /** @description from when the history reaches */
                        historySince: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_org_trash: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description record, table, field, view, column, base */
                kinds?: string[];
                limit?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description column: the former column of a field whose type was changed */
                            kind: string;
                            /** @description of a record its primary value */
                            name: string;
                            base?: {
                                id: string;
                                name: string;
                            };
                            table?: {
                                id: string;
                                name: string;
                            };
                            deletedAt: string;
                            deletedBy?: {
                                id: string;
                                name: string;
                            };
                            keptUntil: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purge_bases: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        purged: string[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restore_bases: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dryRun?: boolean;
                        restored: {
                            id: string;
                            kind: string;
                            /** @description changed if it was taken */
                            name: string;
                            /** @description what did not come back, and why */
                            notes?: string[];
                        }[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            id: string;
                            name: string;
                            color: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_record: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                        version?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_record: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_record: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields: Record<string, unknown>;
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                        version?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    read_attachment: {
        parameters: {
            query?: {
                /** @description characters; default 20000 */
                limit?: number;
                /** @description nextOffset of the answer before */
                offset?: number;
            };
            header?: never;
            path: {
                recordId: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        size: number;
                        /** @description of the file, if it is not UTF-8 */
                        encoding?: string;
                        /** @description of a PDF; each begins with its number in brackets */
                        pages?: number;
                        /** @description of a file with text */
                        text?: string;
                        /** @description characters of the whole text */
                        length?: number;
                        /** @description where the text goes on; absent at the end */
                        nextOffset?: number;
                        /** @description the file has more text than is read of one, which is not in length */
                        cut?: boolean;
                        /** @description of an image */
                        image?: {
                            type: string;
                            width: number;
                            height: number;
                            /** @description base64 */
                            data?: number[];
                        };
                        /** @description for agents: what the text is */
                        note?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_comments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        comments: {
                            id: string;
                            threadId: string;
                            recordId: string;
                            author: {
                                id: string;
                                name: null | string;
                            };
                            credential: string;
                            text: string;
                            mentions: {
                                id: string;
                                name: null | string;
                            }[];
                            createdAt: string;
                            editedAt?: string;
                            deletedAt?: string;
                            resolvedAt?: string;
                            resolvedBy?: {
                                id: string;
                                name: string;
                            };
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    replyTo?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_record_history: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description full: with ids and whole values; default short */
                detail?: "short" | "full";
                limit?: number;
                /** @description with all fields after each change */
                state?: boolean;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        complete: boolean;
                        entries: {
                            changeSet: string;
                            changes: {
                                field: {
                                    id: string;
                                    name: string;
                                };
                                from: unknown;
                                to: unknown;
                            }[] | {
                                [key: string]: unknown[];
                            };
                            credential: string;
                            /** @enum {string} */
                            kind: "created" | "updated" | "deleted" | "linked" | "restored";
                            /** @description how many further fields were changed */
                            more?: number;
                            person: {
                                id: string;
                                name: string | null;
                            } | null | string;
                            request: string;
                            state?: Record<string, unknown> | null;
                            time: string;
                            version: number;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restore_record_version: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description RFC 3339 moment, or a change set: before it */
                    asOf?: string;
                    /** @description of the record, as get_record_history has it */
                    version?: number;
                    /** @description answer the plan alone */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recordId: string;
                        /** @description of the record now */
                        version: number;
                        dryRun?: boolean;
                        /** @description it was deleted, and comes back */
                        restored?: boolean;
                        changes: {
                            fieldId: string;
                            /** @description its name */
                            field: string;
                            /** @description what is there now */
                            from?: unknown;
                            to?: unknown;
                        }[];
                        /** @description what does not come back, and why */
                        notes?: string[];
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_table: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        icon?: {
                            /** @enum {string} */
                            kind: "emoji" | "lucide" | "image";
                            /** @description the emoji, the name of the lucide icon, or the https address of the image */
                            value: string;
                            /** @description a colour name, or # and six hexadecimal digits */
                            color?: string;
                        };
                        fields: {
                            id: string;
                            /** @description the key in records */
                            name: string;
                            type: string;
                            isPrimary: boolean;
                            /** @description position among the fields, from 0 */
                            order: number;
                            /** @description option names of a select field */
                            options?: string[];
                            /** @description set on link fields */
                            linkedTableId?: string;
                            /** @description the service writes the values */
                            readOnly?: boolean;
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
                                max?: number;
                                icon?: string;
                                format?: string;
                                dateFormat?: string;
                                timeFormat?: string;
                                timeZone?: string;
                                linkedTableId?: string;
                                inverseFieldId?: string;
                                multiple?: boolean;
                                label?: string;
                                url?: string;
                                formula?: string;
                                resultType?: string;
                                linkFieldId?: string;
                                fieldId?: string;
                                function?: string;
                                filters?: unknown;
                                sorts?: unknown;
                                limit?: number;
                            };
                            /** @description why a computed field shows errors alone */
                            problem?: string;
                        }[];
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_table: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_table: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_attachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description base64 */
                    content: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    count_comments: {
        parameters: {
            query?: {
                records?: string[];
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description whether any record of the table has comments */
                        any: boolean;
                        counts: {
                            recordId: string;
                            /** @description that are not resolved */
                            threads: number;
                            /** @description in these threads, without deleted ones */
                            comments: number;
                            /** @description the latest of these threads */
                            threadId: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_fields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: {
                            id: string;
                            /** @description the key in records */
                            name: string;
                            type: string;
                            isPrimary: boolean;
                            /** @description position among the fields, from 0 */
                            order: number;
                            /** @description option names of a select field */
                            options?: string[];
                            /** @description set on link fields */
                            linkedTableId?: string;
                            /** @description the service writes the values */
                            readOnly?: boolean;
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
                                max?: number;
                                icon?: string;
                                format?: string;
                                dateFormat?: string;
                                timeFormat?: string;
                                timeZone?: string;
                                linkedTableId?: string;
                                inverseFieldId?: string;
                                multiple?: boolean;
                                label?: string;
                                url?: string;
                                formula?: string;
                                resultType?: string;
                                linkFieldId?: string;
                                fieldId?: string;
                                function?: string;
                                filters?: unknown;
                                sorts?: unknown;
                                limit?: number;
                            };
                            /** @description why a computed field shows errors alone */
                            problem?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "formula" | "lookup" | "rollup" | "count" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                    /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                    config?: Record<string, unknown>;
                    /** @description from 1; 0 is the primary field; default the end */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    check_formula: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description as in IF({Price} > 10, "high", "low") */
                    formula: string;
                    /** @description the field that is to get the formula; absent for a new one */
                    fieldId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the values: number, text, boolean, date, datetime, or list of one of these; absent if there are problems */
                        type?: string;
                        /** @description values depend on the time, or on names that stand elsewhere, and are computed whenever they are read */
                        volatile?: boolean;
                        /** @description mistakes in the order of their places; lines and columns begin at 1 and count characters */
                        problems: {
                            line: number;
                            column: number;
                            length: number;
                            message: string;
                        }[];
                        /** @description of the first five records of the table */
                        values: {
                            recordId: string;
                            /** @description as in the fields of the record */
                            value: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_indexes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        indexes: {
                            /** @enum {string} */
                            kind: "primary" | "unique" | "lookup" | "search";
                            /** @description the query pattern or constraint it serves, with fields by id */
                            reason: string;
                            /** @description false while it is being built */
                            ready: boolean;
                            bytes: number;
                            /** @description when it was built, for lookup and search */
                            since?: string;
                            /** @description when a query last needed it, to the hour */
                            usedAt?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    query_records: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                cursor?: string;
                /** @description names or ids of the fields to return; default all */
                fields?: string[];
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description rows: names once, in columns, links and files by name; default records */
                format?: "records" | "rows";
                /** @description default full, or short in rows; none is for rows alone */
                ids?: "full" | "short" | "none";
                /** @description columns of rows */
                include?: ("createdTime" | "version")[];
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                /** @description text in any field, ignoring case and accents */
                search?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description view id */
                view?: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description with format rows: fields; those of a record itself are _id, _version, _createdTime */
                        columns?: string[];
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        /** @description of the view's filter, which lets nothing through until it is repaired */
                        problems?: {
                            message?: string;
                            path?: string;
                        }[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        /** @description with format rows: the values of each record, in the order of columns */
                        rows?: unknown[][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields?: Record<string, unknown>;
                    records?: {
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description convert values of other types, and add select options */
                    typecast?: boolean;
                    /**
                     * @description what the answer has of the records, none: how many; default records
                     * @enum {string}
                     */
                    return?: "records" | "ids" | "none";
                    /**
                     * @description default full
                     * @enum {string}
                     */
                    ids?: "full" | "short";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                        count?: number;
                        created?: string[];
                        ids?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_records: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                ids?: string[];
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    ids: string[];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description empty in a plan */
                        deleted: string[];
                        /** @description how many a plan would delete */
                        count?: number;
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        id: string;
                        /** @description only if the record has it */
                        version?: number;
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    typecast?: boolean;
                    /**
                     * @description what the answer has of the records, none: how many; default records
                     * @enum {string}
                     */
                    return?: "records" | "ids" | "none";
                    /**
                     * @description default full
                     * @enum {string}
                     */
                    ids?: "full" | "short";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                        count?: number;
                        created?: string[];
                        ids?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    aggregate_records: {
        parameters: {
            query?: {
                /** @description [{fn, fieldId}], fn count, distinct, sum, avg, min, max, median, percentile (with p: 90) or percent_of_total; default the number of records */
                aggregates?: string;
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description rows: names once, in columns; default records */
                format?: "records" | "rows";
                /** @description fields, also links, Company.Country, or day, week, month, quarter or year as in month(Closed) */
                groupBy?: string[];
                /** @description [{by, op, value}], by a result such as sum(Price), op eq, neq, gt, gte, lt, lte or between */
                having?: string;
                limit?: number;
                /** @description [{by, dir}], by a result or a groupBy; default the keys */
                orderBy?: string;
                search?: string;
                view?: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description with format rows: fields; those of a record itself are _id, _version, _createdTime */
                        columns?: string[];
                        groups: {
                            key: Record<string, unknown>;
                            results: Record<string, unknown>;
                        }[];
                        hasMore: boolean;
                        /** @description with format rows: the values of each record, in the order of columns */
                        rows?: unknown[][];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    stream_records: {
        parameters: {
            query?: {
                /** @description view id */
                view?: string;
                search?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description names or ids; default all */
                fields?: string;
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                /** @description begin with a byte order mark, without which spreadsheets do not read UTF-8 */
                bom?: boolean;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV (RFC 4180) in UTF-8. The first line names the fields. A connection that ends before its last chunk is an export that failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    export_records: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description view id */
                    view?: string;
                    search?: string;
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                    sorts?: Record<string, unknown>[];
                    /** @description names or ids; default all */
                    fields?: string[];
                    /** @description RFC 3339 time or chs_ id */
                    asOf?: string;
                    /** @description rows */
                    limit?: number;
                    /** @description of the CSV */
                    maxBytes?: number;
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        csv: string;
                        /** @description in csv, without the line of names */
                        rows: number;
                        total: number;
                        hasMore: boolean;
                        cursor?: string;
                        /** @description cells with an apostrophe in front, which spreadsheets would run */
                        guarded?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description view id */
                    view?: string;
                    search?: string;
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                    sorts?: Record<string, unknown>[];
                    /** @description names or ids; default all */
                    fields?: string[];
                    /** @description RFC 3339 time or chs_ id */
                    asOf?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        method: string;
                        /** @description needs no credential; whoever has it can use it */
                        url: string;
                        expiresAt: string;
                        /** @description rows now */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    import_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    csv?: string;
                    /** @description id of an upload of yours, instead of csv */
                    file?: string;
                    /** @description rows of file to pass over */
                    offset?: number;
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description leave out rows that do not fit */
                    skipRefused?: boolean;
                    /**
                     * @description sign, where the columns leave it open
                     * @enum {string}
                     */
                    decimal?: "point" | "comma";
                    /**
                     * @description where the columns leave it open
                     * @enum {string}
                     */
                    dateOrder?: "DMY" | "MDY";
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: number;
                        updated: number;
                        refused: number;
                        refusals?: {
                            line: number;
                            column?: number;
                            field?: string;
                            message: string;
                            cells?: string[];
                        }[];
                        refusedLines?: string;
                        moreRefusals?: number;
                        newOptions?: string[];
                        ignoredFields?: string[];
                        readings?: string[];
                        skippedRows?: number;
                        ids?: string[];
                        rows?: number;
                        nextOffset?: number;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description CSV of all refused rows, for a day, if refusals leaves some out */
                        refusedFile?: {
                            id: string;
                            name: string;
                            size: number;
                            type: string;
                            width?: number;
                            height?: number;
                            url: string;
                            thumbnailUrl?: string;
                        };
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    import_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description as utf-8 or windows-1252 */
                    encoding?: string;
                    /** @enum {string} */
                    delimiter?: "comma" | "semicolon" | "tab" | "pipe";
                    /** @description base64 */
                    content: string;
                    /** @description of the first row in the file */
                    line: number;
                    columns: {
                        /** @description name or id; none skips the column */
                        field?: string;
                        /**
                         * @description sign, where the columns leave it open
                         * @enum {string}
                         */
                        decimal?: "point" | "comma";
                        /**
                         * @description where the columns leave it open
                         * @enum {string}
                         */
                        dateOrder?: "DMY" | "MDY";
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: number;
                        updated: number;
                        refused: number;
                        refusals?: {
                            line: number;
                            column?: number;
                            field?: string;
                            message: string;
                            cells?: string[];
                        }[];
                        refusedLines?: string;
                        moreRefusals?: number;
                        newOptions?: string[];
                        ignoredFields?: string[];
                        readings?: string[];
                        skippedRows?: number;
                        ids?: string[];
                        rows?: number;
                        nextOffset?: number;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    merge_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description id of the record that stays */
                    keep: string;
                    /** @description ids of the others */
                    merge: string[];
                    /** @description values that decide, by field name */
                    fields?: Record<string, unknown>;
                    /** @description only say what would result */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                        /** @description comments that moved to the kept record */
                        comments: number;
                        dryRun?: boolean;
                        /** @description links that passed to the kept record */
                        links: number;
                        /** @description ids of the records that went to the trash */
                        merged: string[];
                        record: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    search_records: {
        parameters: {
            query: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                cursor?: string;
                /** @description rows: names once, in columns, links and files by name; default records */
                format?: "records" | "rows";
                /** @description default full, or short in rows; none is for rows alone */
                ids?: "full" | "short" | "none";
                /** @description columns of rows */
                include?: ("createdTime" | "version")[];
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                q: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description with format rows: fields; those of a record itself are _id, _version, _createdTime */
                        columns?: string[];
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        /** @description of the view's filter, which lets nothing through until it is repaired */
                        problems?: {
                            message?: string;
                            path?: string;
                        }[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        /** @description with format rows: the values of each record, in the order of columns */
                        rows?: unknown[][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_selected_records: {
        parameters: {
            query?: {
                /** @description ids of records that stay */
                except?: string[];
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                search?: string;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    search?: string;
                    /** @description ids of records that stay */
                    except?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        /** @description there are others, which another request deletes */
                        more: boolean;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_records_where: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
                search?: string;
                view?: string;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    view?: string;
                    search?: string;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        newOptions?: string[];
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_records_where: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    view?: string;
                    search?: string;
                    /** @description values by field name */
                    fields?: Record<string, unknown>;
                    /** @description {"formula": …} by field name; formulas read the record as it was */
                    set?: Record<string, unknown>;
                    typecast?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        newOptions?: string[];
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_file: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The file is stored for a day, and after that as long as a record contains it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_upload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description of the file, as guests.csv */
                    name: string;
                    /** @description bytes; the address then takes no file of another size */
                    size?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the file, once it was sent */
                        id: string;
                        method: string;
                        /** @description needs no credential; whoever has it can use it */
                        url: string;
                        expiresAt: string;
                        maxBytes: number;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_views: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "grid" | "gallery" | "kanban" | "calendar" | "form";
                    name?: string;
                    /**
                     * @description personal: only its creator and admins see it; locked: only admins change it
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                    /** @description as in update_view */
                    config?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_upload_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description maximum size of a file */
                        maxBytes: number;
                        /** @description accepted media types, such as image/*; empty means all */
                        types: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
        };
    };
    send_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        config: {
                            [key: string]: unknown;
                        };
                        /** @description collaborative, personal or locked */
                        access?: string;
                        /** @description user id */
                        createdBy?: string;
                        /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                        problems?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_view: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            /** @description the primary value */
                            title?: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    config?: {
                        [key: string]: unknown;
                    };
                    unset?: string[];
                    /**
                     * @description personal: only its creator and admins see it; locked: only admins change it
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the organization, from get_me or list_orgs */
                    orgId: string;
                    name: string;
                    /** @description a colour name such as blue, or #rrggbb */
                    color?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    color?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description of the write, as in list_change_sets; absent where nothing was written */
                        changeSet?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
