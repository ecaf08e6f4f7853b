"""Write the ledger of every contest from what was stored so far: rows of matches, and the audit log for the last time.

Events are put in the order in which they happened, and numbered. Matches of a stage that were drawn with nothing
between them share an entry. Where the audit log does not explain the state of a stage, its row does, and the
migration says so. Results, places and ratings are not touched: they are in the rows of matches and seats.
"""

from datetime import datetime, timedelta

from django.db import migrations
from django.utils import timezone

EVERYONE, RESULTS, ORGANISERS = "everyone", "results", "organisers"
# What happened at the same moment: a freeze hides it, a stage starts before its matches are drawn, and so on.
ORDER = ("freeze_set", "freeze_lifted", "stage_published", "entrants_set", "stage_started", "matches_drawn",
         "match_result", "match_voided", "review_applied", "stage_finished", "stage_reopened")  # fmt: skip

STAGE_VERBS = {
    "publish stage": "stage_published",
    "unpublish stage": "stage_unpublished",
    "start stage": "stage_started",
    "pause stage": "stage_paused",
    "resume stage": "stage_resumed",
    "finish stage": "stage_finished",
    "reopen stage": "stage_reopened",
    "stop ladder": "stage_shortened",
    "release stage": "stage_released",
    "release round": "round_released",
    "take round back": "round_taken_back",
    "draw stage": "entrants_set",
}
MOVES = {
    "stage_published": ({"draft"}, "published"),
    "stage_unpublished": ({"published"}, "draft"),
    "stage_started": ({"published"}, "running"),
    "stage_paused": ({"running"}, "paused"),
    "stage_resumed": ({"paused"}, "running"),
    "stage_finished": ({"running", "paused"}, "done"),
    "stage_reopened": ({"done"}, "running"),
    "stage_shortened": ({"paused"}, "running"),
}


class Event:
    """An entry that has no number yet. `match` of a draw: a list."""

    def __init__(self, at, kind, audience=RESULTS, **values):
        self.at, self.kind, self.audience, self.values = at, kind, audience, values
        self.matches = []

    @property
    def key(self):
        phase = ORDER.index(self.kind) if self.kind in ORDER else len(ORDER)
        return self.at, phase, self.values.get("match_id") or 0


def write_ledgers(apps, schema_editor):
    Contest = apps.get_model("contest", "Contest")
    for contest in Contest.objects.order_by("pk"):
        _Contest(apps, contest).write()


class _Contest:
    def __init__(self, apps, contest):
        self.contest = contest
        self.model = {
            name: apps.get_model(app, name)
            for app, names in (
                ("contest", ("Act", "LedgerEntry", "Follower", "Contest", "Team")),
                ("tournaments", ("Match", "Stage", "Review", "Arrears")),
            )
            for name in names
        }
        self.acts = list(self.model["Act"].objects.filter(contest=contest).order_by("at", "pk"))
        self.stages = {stage.pk: stage for stage in self.model["Stage"].objects.filter(contest=contest)}
        self.frozen_from = (
            contest.frozen_from if contest.frozen_from and contest.frozen_from <= timezone.now() else None
        )

    def write(self):
        events = [*self.freezes(), *self.of_teams(), *self.of_matches(), *self.of_reviews()]
        for stage in self.stages.values():
            events += self.of_stage(stage)
        events = self.together(sorted(events, key=lambda event: event.key))
        entries, froze = [], None
        for number, event in enumerate(events, 1):
            event.number = number
            if event.kind == "freeze_set":
                froze = number
            entries.append(
                self.model["LedgerEntry"](
                    contest_id=self.contest.pk, number=number, at=event.at, kind=event.kind, audience=event.audience,
                    **event.values,
                )
            )  # fmt: skip
        self.model["LedgerEntry"].objects.bulk_create(entries, batch_size=500)
        self.model["Contest"].objects.filter(pk=self.contest.pk).update(
            last_number=len(events), frozen_number=froze if self.frozen_from else None
        )
        self.model["Follower"].objects.create(name="stages", contest_id=self.contest.pk, number=len(events))
        self.number_matches(events)
        self.move_arrears(len(events))

    # What happened

    def freezes(self):
        """Those that came into force, each with its end."""
        start = None
        for act in self.acts:
            if act.verb == "freeze":
                start = datetime.fromisoformat(act.data["at"]) if "at" in act.data else act.at
                by = act.user_id
            elif act.verb == "lift freeze" and start is not None:
                if start <= act.at:
                    yield Event(start, "freeze_set", EVERYONE, by_id=by)
                    yield Event(act.at, "freeze_lifted", EVERYONE, by_id=act.user_id)
                start = None
        if self.frozen_from is not None:
            yield Event(self.frozen_from, "freeze_set", EVERYONE, by_id=by if start else None)

    def of_teams(self):
        there = {team.pk: team for team in self.model["Team"].objects.filter(contest=self.contest)}
        out = {}
        for act in self.acts:
            team, before = act.data.get("team"), act.data.get("before")
            if team not in there:
                continue
            kind = None
            if act.verb == "disqualify team":
                kind = "team_disqualified"
            elif act.verb == "withdraw" and before == "approved":
                kind = "team_withdrawn"
            elif act.verb in ("reinstate team", "re-enter", "approve team") and out.get(team):
                kind = "team_reinstated"
            if kind:
                out[team] = kind != "team_reinstated"
                reason = act.reason[:300]
                yield Event(act.at, kind, EVERYONE, team_id=team, by_id=act.user_id, reason=reason)
        for team in there.values():
            kind = {"withdrawn": "team_withdrawn", "disqualified": "team_disqualified"}.get(team.state)
            if kind and not out.get(team.pk):
                yield Event(timezone.now(), kind, EVERYONE, team_id=team.pk, reason=team.state_reason)

    def of_matches(self):
        voided = {act.data.get("match"): act for act in self.acts if act.verb == "void match"}
        replaced = self.replaced_by_reviews()
        columns = (
            "pk",
            "stage_id",
            "state",
            "pending",
            "review_id",
            "created_at",
            "finished_at",
            "voided_at",
            "reason",
        )
        found = self.model["Match"].objects.filter(contest=self.contest).order_by("pk").values_list(*columns)
        for pk, stage, state, pending, review, created_at, finished_at, voided_at, reason in found.iterator(2000):
            if review is None:
                event = Event(created_at, "matches_drawn", stage_id=stage)
                event.matches.append(pk)
                yield event
            if finished_at is not None:
                audience = ORGANISERS if review is not None else RESULTS
                yield Event(finished_at, "match_result", audience, stage_id=stage, match_id=pk)
            if state == "void" and not pending and pk not in replaced:
                act = voided.get(pk)
                at = voided_at or (act.at if act else None) or finished_at or created_at
                by = act.user_id if act else None
                yield Event(max(at, created_at), "match_voided", stage_id=stage, match_id=pk, by_id=by, reason=reason)

    def replaced_by_reviews(self):
        """The old matches of reviews that were applied."""
        new = self.model["Match"].objects.filter(contest=self.contest, review__state="applied", pending=False)
        return set(new.filter(replay_of__isnull=False).values_list("replay_of", flat=True))

    def of_reviews(self):
        for review in self.model["Review"].objects.filter(contest=self.contest, state="applied"):
            new = review.matches.filter(pending=False, replay_of__isnull=False).order_by("pk")
            pairs = list(new.values_list("replay_of", "pk", "replay_of__voided_at"))
            moments = [at for *_, at in pairs if at is not None]
            decided = review.decided_at or max(moments, default=review.made_at)
            yield Event(
                min([decided, *moments]), "review_applied", stage_id=review.stage_id, review_id=review.pk,
                by_id=review.decided_by_id, reason=review.reason, data={"replaced": [pair[:2] for pair in pairs]},
            )  # fmt: skip

    def of_stage(self, stage):
        events = list(self.told_of(stage))
        state = "draft"
        for event in sorted(events, key=lambda event: event.key):
            before, after = MOVES.get(event.kind, (set(), ""))
            state = after if state in before else state
        if state != stage.state:
            print(f"  stage {stage.pk} is {stage.state}, which the audit log does not explain: its row is believed")
            releases = ("round_released", "round_taken_back", "stage_released")
            events = [event for event in events if event.kind in releases]
            events += self.as_it_stands(stage)
        entrants = [event for event in sorted(events, key=lambda event: event.key) if event.kind == "entrants_set"]
        if entrants:  # the log does not have what was changed since
            entrants[-1].values["data"] = {"order": stage.order, "left_out": stage.left_out}
        return events

    def told_of(self, stage):
        for act in self.acts:
            if act.data.get("stage") != stage.pk or act.verb not in STAGE_VERBS:
                continue
            kind, values = STAGE_VERBS[act.verb], {"stage_id": stage.pk, "by_id": act.user_id}
            at = self.moment(stage, act)
            reason = act.reason[:300] if kind in ("stage_paused", "stage_resumed") else ""
            if kind in ("round_released", "round_taken_back"):
                yield Event(at, kind, EVERYONE, round=act.data.get("released", 0), **values)
                continue
            if kind in ("stage_published", "entrants_set", "stage_started"):
                order = act.data.get("order", stage.order)
                yield self.entrants(stage, at, order, kind == "stage_started", act.user_id)
            if kind == "stage_started" and not self.was_published(stage, act):
                yield Event(at, "stage_published", EVERYONE, **values)
            if kind != "entrants_set":
                public = kind in ("stage_published", "stage_unpublished", "stage_paused", "stage_resumed",
                                  "stage_shortened", "stage_released")  # fmt: skip
                because_of_a_result = kind == "stage_paused" and act.reason.startswith("To play ")
                audience = EVERYONE if public and not because_of_a_result else RESULTS
                if because_of_a_result and self.was_done(stage, act):
                    yield Event(at, "stage_reopened", stage_id=stage.pk)
                yield Event(at, kind, audience, reason=reason, **values)

    def moment(self, stage, act):
        """When it happened: of the last start and the last end the row knows better than the log."""
        last = {each.verb: each.pk for each in self.acts if each.data.get("stage") == stage.pk}
        if act.verb == "start stage" and last[act.verb] == act.pk and stage.started_at:
            return stage.started_at
        if act.verb == "finish stage":
            if last[act.verb] == act.pk and stage.state == "done" and stage.finished_at:
                return stage.finished_at
            return datetime.fromisoformat(act.data["finished_at"]) if "finished_at" in act.data else act.at
        return act.at

    def was_published(self, stage, start):
        state = "draft"
        for act in self.acts:
            if act.pk == start.pk:
                break
            if act.data.get("stage") == stage.pk and act.verb in ("publish stage", "unpublish stage"):
                state = act.verb
        return state == "publish stage"

    def was_done(self, stage, pause):
        done = False
        for act in self.acts:
            if act.pk == pause.pk:
                break
            if act.data.get("stage") == stage.pk and act.verb in ("finish stage", "reopen stage", "pause stage"):
                done = act.verb == "finish stage"
        return done

    def entrants(self, stage, at, order, starts, by):
        led = stage.entry == "best" or stage.seeding in ("source", "standings")
        source = self.stages.get(stage.source_id)
        known = (
            source is not None
            and self.frozen_from is not None
            and source.state == "done"
            and (source.finished_at is not None and source.finished_at < self.frozen_from)
        )
        audience = RESULTS if starts or (led and not known) else EVERYONE
        left_out = stage.left_out if starts else []
        return Event(
            at, "entrants_set", audience, stage_id=stage.pk, by_id=by, data={"order": order, "left_out": left_out}
        )

    def as_it_stands(self, stage):
        if stage.state == "draft":
            return
        begun = stage.started_at or stage.created_at
        yield Event(min(stage.created_at, begun), "stage_published", EVERYONE, stage_id=stage.pk)
        yield self.entrants(stage, begun, stage.order, stage.state != "published", None)
        if stage.state == "published":
            return
        yield Event(begun, "stage_started", stage_id=stage.pk)
        if stage.state == "paused":
            yield Event(begun + timedelta(microseconds=1), "stage_paused", EVERYONE, stage_id=stage.pk)
        if stage.state == "done":
            yield Event(stage.finished_at or timezone.now(), "stage_finished", stage_id=stage.pk)

    # Numbers

    def together(self, events):
        """Neighbouring draws of one stage as one."""
        found = []
        for event in events:
            last = found[-1] if found else None
            if event.kind == "matches_drawn" and last and last.kind == event.kind and last.values == event.values:
                last.matches += event.matches
            else:
                found.append(event)
        for event in found:
            if event.kind == "matches_drawn":
                event.values = {**event.values, "data": {"matches": event.matches}}
        return found

    def number_matches(self, events):
        numbers = {}  # by match: counts_from, resulted, counts_until
        for event in events:
            if event.kind == "matches_drawn":
                for match in event.matches:
                    numbers.setdefault(match, [None, None, None])[0] = event.number
            elif event.kind == "review_applied":
                for old, new in event.values["data"]["replaced"]:
                    numbers.setdefault(old, [None, None, None])[2] = event.number
                    numbers.setdefault(new, [None, None, None])[0] = event.number
            elif event.kind in ("match_result", "match_voided"):
                at = 1 if event.kind == "match_result" else 2
                numbers.setdefault(event.values["match_id"], [None, None, None])[at] = event.number
        why = {act.data.get("match"): act.data.get("why", "") for act in self.acts if act.verb == "void match"}
        Match = self.model["Match"]
        written, fields = [], ["counts_from", "resulted", "counts_until", "why"]
        for match in Match.objects.filter(contest=self.contest).only("state", "pending", "reason").iterator(2000):
            match.counts_from, match.resulted, match.counts_until = numbers.get(match.pk, (None, None, None))
            was_voided = match.state == "void" and not match.pending
            match.why = why.get(match.pk, "") if was_voided else match.reason
            written.append(match)
            if len(written) == 500:
                Match.objects.bulk_update(written, fields)
                written = []
        Match.objects.bulk_update(written, fields)

    def move_arrears(self, last):
        arrears = self.model["Arrears"].objects.filter(contest=self.contest).first()
        if arrears is None:
            return
        done = self.model["Match"].objects.filter(contest=self.contest, resulted__isnull=False)
        moments = done.order_by("resulted").values_list("finished_at", "pk", "resulted")
        here = (arrears.at, arrears.match)
        arrears.number = next((number for at, pk, number in moments if (at, pk) >= here), last + 1)
        arrears.save(update_fields=["number"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_ledger_numbers"), ("contest", "0005_ledger")]

    operations = [migrations.RunPython(write_ledgers, migrations.RunPython.noop)]
