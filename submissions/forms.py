"""The upload form. It only reads what came; what is wrong with it is for `submissions.intake` to say."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

from contest.models import Contest, Team, User
from submissions import intake
from submissions.intake import Receipt, Upload, UploadRefused


class CappedUploadHandler(FileUploadHandler):
    """Stops reading a file that is far too large, goes on with the rest of the form, and remembers the name."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.skipped: dict[str | None, str] = {}

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > intake.READ_LIMIT:
            self.skipped[self.field_name] = self.file_name or ""
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """A file field that takes several files, so that sending too many can be answered in words. Cleans to a list."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [it for it in (data if isinstance(data, list | tuple) else [data]) if it]


class UploadForm(forms.Form):
    """A source as a file or as pasted text, and the same for the text about the strategy."""

    source = ManyFilesField(label="Source file", required=False)
    pasted = forms.CharField(
        label="… or paste the source here",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "off", "class": "mono"}),
    )
    filename = forms.CharField(label="File name of the pasted source", required=False, max_length=500)
    language = forms.ChoiceField(label="Language of the source", required=False)
    strategy = ManyFilesField(label="Text file about your strategy", required=False)
    strategy_text = forms.CharField(
        label="… or write it here", required=False, strip=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    strategy_filename = forms.CharField(required=False, max_length=500, widget=forms.HiddenInput)
    activate = forms.BooleanField(label="Play with this version as soon as it is ready", required=False, initial=True)

    def __init__(
        self, contest: Contest, *args: Any, skipped: dict[str | None, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        self.skipped = skipped or {}
        known = intake.languages_of(contest)
        missing = " (not installed here)"
        language = cast(forms.ChoiceField, self.fields["language"])
        language.choices = [("", "By the file’s ending")] + [
            (it.slug, it.name + ("" if it.installed() else missing)) for it in known
        ]
        endings = ",".join(ending for it in known for ending in it.extensions)
        self.fields["source"].widget.attrs |= {"accept": f"{endings},.txt,.md,text/plain"}
        self.fields["strategy"].widget.attrs |= {"accept": ".txt,.md,text/plain"}

    def receive(self, team: Team, user: User, *, for_team: bool = False) -> Receipt:
        """Hand what came to the intake, also in the team's place. Raises UploadRefused."""
        strategies = self._uploads("strategy", "strategy_text", "strategy_filename")
        if len(strategies) > 1:
            raise UploadRefused({"strategy": "One text about the strategy is enough; several files came."})
        receipt = intake.receive(
            team,
            user,
            self._uploads("source", "pasted", "filename"),
            strategies[0] if strategies else None,
            language=self.cleaned_data["language"],
            activate=self.cleaned_data["activate"],
            for_team=for_team,
        )
        if self.cleaned_data["source"] and self.cleaned_data["pasted"].strip():
            receipt.notices.append("You sent a file and a pasted text: the file was taken.")
        return receipt

    def _uploads(self, file: str, text: str, name: str) -> list[Upload]:
        found = [Upload(it.name or "", it.read()) for it in self.cleaned_data.get(file) or []]
        if file in self.skipped:
            found.append(Upload(self.skipped[file], b"", skipped=True))
        pasted = self.cleaned_data.get(text) or ""
        if pasted.strip() and not found:
            # Browsers send the line ends of a text area as CR LF, whatever was pasted.
            plain = pasted.replace("\r\n", "\n")
            found.append(Upload(self.cleaned_data.get(name) or "", plain.encode("utf-8", "surrogatepass"), pasted=True))
        return found

    def refuse(self, refusal: UploadRefused) -> None:
        """Show each sentence at its field, and keep what was right: a browser forgets the files it has sent."""
        shown = {"source": "source", "language": "language", "strategy": "strategy"}
        for where, sentence in refusal.problems.items():
            self.add_error(shown.get(where), sentence)
        kept_data = self.data.copy()  # type: ignore[attr-defined]  # a QueryDict, and mutable from here on
        kept = {"source": ("filename", "pasted"), "strategy": ("strategy_filename", "strategy_text")}
        for where, (name, text) in refusal.good.items():
            name_field, text_field = kept[where]
            kept_data[name_field], kept_data[text_field] = name, text
        self.data = kept_data
