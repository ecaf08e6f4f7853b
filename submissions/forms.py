"""The upload form. It reads the request; `submissions.intake` validates the upload."""

from __future__ import annotations

import base64
import json
from collections import Counter
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

from contest.models import Contest, Team, User
from games.archives import BLOCK, MOST_PACKED, is_archive
from games.kits import zipped
from submissions import intake, uploads
from submissions.intake import Receipt, UploadRefused
from submissions.sources import Reading, languages_of
from submissions.uploads import Upload, readable

Skipped = dict[str | None, dict[int, str]]
"""Names of files that were not read, by their field and their place among its files."""


class CappedUploadHandler(FileUploadHandler):
    """Skips the rest of a file that is far too large, remembers its name, and continues with the form."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.skipped: Skipped = {}
        self.files: Counter[str | None] = Counter()

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.received = 0
        self.files[self.field_name] += 1

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > (MOST_PACKED if is_archive(self.file_name or "") else uploads.READ_LIMIT):
            skipped = self.skipped.setdefault(self.field_name, {})
            skipped[self.files[self.field_name] - 1] = self.file_name or ""
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """A file field that accepts several files. Cleans to a list."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [it for it in (data if isinstance(data, list | tuple) else [data]) if it]


class UploadForm(forms.Form):
    """The source, as files, an archive or pasted text, and a text about the strategy.

    Several files are stored when their sender has seen what they were taken for: then `entry` comes with them. Browsers
    forget files, so what was not stored yet comes back as a ZIP in the field `kept`.
    """

    typed_in_browser = True
    """Browsers send line ends in a text area as CR LF, whatever was pasted."""

    source = ManyFilesField(label="Source files", required=False)
    paths = forms.CharField(required=False, widget=forms.HiddenInput)
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    entry = forms.CharField(label="Entry file", required=False, max_length=500)
    pasted = forms.CharField(
        label="Or paste the source here",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "off", "class": "mono"}),
    )
    filename = forms.CharField(label="File name of the pasted source", required=False, max_length=500)
    language = forms.ChoiceField(label="Language of the source", required=False)
    arguments = forms.CharField(
        label="Arguments of your program",
        required=False,
        max_length=200,
        help_text="HOST and PORT stand for the place of the server, as in --host HOST --port PORT. Blank: HOST PORT.",
    )
    strategy = ManyFilesField(label="Strategy text", required=False)
    strategy_text = forms.CharField(
        label="Or write it here", required=False, strip=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    strategy_filename = forms.CharField(required=False, max_length=500, widget=forms.HiddenInput)
    activate = forms.BooleanField(label="Activate this version when it is ready", required=False, initial=True)

    def __init__(self, contest: Contest, *args: Any, skipped: Skipped | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        self.skipped = skipped or {}
        self.reading: Reading | None = None
        known = languages_of(contest)
        missing = " (not installed here)"
        language = cast(forms.ChoiceField, self.fields["language"])
        language.choices = [("", "From the file’s extension")] + [
            (it.slug, it.name + ("" if it.installed() else missing)) for it in known
        ]
        if contest.one_file:
            endings = ",".join(ending for it in known for ending in it.extensions)
            self.fields["source"].label = "Source file"
            self.fields["source"].widget.attrs |= {"accept": f"{endings},.txt,.md,text/plain"}
        self.fields["strategy"].widget.attrs |= {"accept": ".txt,.md,text/plain"}

    def source_uploads(self) -> list[Upload]:
        found = self._uploads("source", "pasted", "filename")
        if not found and (kept := self._kept()):
            return [Upload("your files.zip", kept)]
        paths = self._paths()
        if len(paths) >= len(found) > 0:
            unsent = [Upload(path, b"", unsent=True) for path in paths[len(found) :]]
            found = [replace(it, name=path) for it, path in zip(found, paths, strict=False)] + unsent
        return found

    def entry_chosen(self) -> str:
        """The entry that was chosen for these files. Blank if it was not, or for others."""
        others = self.cleaned_data["kept"] and self.cleaned_data["source"]
        return "" if others else self.cleaned_data["entry"]

    def _kept(self) -> bytes:
        try:
            return base64.b64decode(self.cleaned_data["kept"], validate=True)
        except ValueError:
            return b""

    def _paths(self) -> list[str]:
        """The paths of dropped folders, which browsers tell only scripts, also of files beyond those that are sent."""
        try:
            paths = json.loads(self.cleaned_data["paths"] or "[]")
        except ValueError:
            return []
        return [it for it in paths if isinstance(it, str)] if isinstance(paths, list) else []

    def strategy_upload(self) -> Upload | None:
        """Raises UploadRefused if there are several."""
        uploads = self._uploads("strategy", "strategy_text", "strategy_filename")
        if len(uploads) > 1:
            raise UploadRefused({"strategy": "Send one strategy text, not several files."})
        return uploads[0] if uploads else None

    def _uploads(self, file: str, text: str, name: str) -> list[Upload]:
        found = [_upload(it) for it in self.cleaned_data.get(file) or []]
        for place, skipped in self.skipped.get(file, {}).items():
            found.insert(place, Upload(skipped, b"", skipped=True))
        pasted = self.cleaned_data.get(text) or ""
        if pasted.strip() and not found:
            plain = pasted.replace("\r\n", "\n") if self.typed_in_browser else pasted
            found.append(Upload(self.cleaned_data.get(name) or "", plain.encode("utf-8", "surrogatepass"), pasted=True))
        return found

    def receive(self, team: Team, by: User, *, for_team: bool) -> Receipt:
        """Store what was sent. Raises Refused."""
        given, strategy = self.cleaned_data, self.strategy_upload()
        how = {name: given[name] for name in ("language", "arguments", "activate")} | {"entry": self.entry_chosen()}
        return intake.receive(team, by, self.source_uploads(), strategy, for_team=for_team, **how)

    def refuse(self, refusal: UploadRefused) -> None:
        """Show each problem at its field and keep what was valid, because browsers forget uploaded files."""
        for where, sentence in refusal.problems.items():
            self.add_error(where or None, sentence)
        self._keep(refusal.good, refusal.reading)

    def ask(self, reading: Reading) -> None:
        """Show what several files were taken for, before anything is stored."""
        good = {}
        if (strategy := self.strategy_upload()) and not readable(strategy, "", uploads.STRATEGY_KB)[0]:
            good["strategy"] = (strategy.name, strategy.data.decode())
        self._keep(good, reading)

    def _keep(self, good: dict[str, tuple[str, str]], reading: Reading) -> None:
        self.reading = reading
        kept_data = self.data.copy()  # type: ignore[attr-defined]  # a QueryDict, and mutable from here on
        kept_data["paths"], kept_data["kept"] = "", ""
        if reading.files:
            kept_files = {f"program/{path}": data for path, data in (reading.left_out | reading.files).items()}
            kept_data["kept"] = base64.b64encode(zipped(kept_files)).decode()
        kept = {"source": ("filename", "pasted"), "strategy": ("strategy_filename", "strategy_text")}
        for where, (name, text) in good.items():
            name_field, text_field = kept[where]
            kept_data[name_field], kept_data[text_field] = name, text
        self.data = kept_data


def _upload(file: UploadedFile) -> Upload:
    packed = is_archive(file.name or "")
    file.seek(0)  # it may have been read before
    return Upload(file.name or "", file.read(BLOCK if packed else -1), file=file.file if packed else None)
