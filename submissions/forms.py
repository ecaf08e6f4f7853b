"""The upload form. It reads the request; `submissions.intake` validates the upload."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

from contest.models import Contest
from submissions import intake
from submissions.intake import Upload, UploadRefused


class CappedUploadHandler(FileUploadHandler):
    """Skips the rest of a file that is far too large, remembers its name, and continues with the form."""

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
    """A file field that accepts several files, so that the form can explain that one is enough. Cleans to a list."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [it for it in (data if isinstance(data, list | tuple) else [data]) if it]


class UploadForm(forms.Form):
    """A source and a text about the strategy, each as a file or as pasted text."""

    typed_in_browser = True
    """Browsers send line ends in a text area as CR LF, whatever was pasted."""

    source = ManyFilesField(label="Source file", required=False)
    pasted = forms.CharField(
        label="Or paste the source here",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "off", "class": "mono"}),
    )
    filename = forms.CharField(label="File name of the pasted source", required=False, max_length=500)
    language = forms.ChoiceField(label="Language of the source", required=False)
    strategy = ManyFilesField(label="Strategy text", required=False)
    strategy_text = forms.CharField(
        label="Or write it here", required=False, strip=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    strategy_filename = forms.CharField(required=False, max_length=500, widget=forms.HiddenInput)
    activate = forms.BooleanField(label="Activate this version when it is ready", required=False, initial=True)

    def __init__(
        self, contest: Contest, *args: Any, skipped: dict[str | None, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        self.skipped = skipped or {}
        known = intake.languages_of(contest)
        missing = " (not installed here)"
        language = cast(forms.ChoiceField, self.fields["language"])
        language.choices = [("", "From the file’s extension")] + [
            (it.slug, it.name + ("" if it.installed() else missing)) for it in known
        ]
        endings = ",".join(ending for it in known for ending in it.extensions)
        self.fields["source"].widget.attrs |= {"accept": f"{endings},.txt,.md,text/plain"}
        self.fields["strategy"].widget.attrs |= {"accept": ".txt,.md,text/plain"}

    def source_uploads(self) -> list[Upload]:
        return self._uploads("source", "pasted", "filename")

    def strategy_upload(self) -> Upload | None:
        """Raises UploadRefused if there are several."""
        uploads = self._uploads("strategy", "strategy_text", "strategy_filename")
        if len(uploads) > 1:
            raise UploadRefused({"strategy": "Send one strategy text, not several files."})
        return uploads[0] if uploads else None

    def ignores_pasted_source(self) -> bool:
        """Whether there is a file as well as a pasted text. The file wins."""
        return bool(self.cleaned_data["source"] and self.cleaned_data["pasted"].strip())

    def _uploads(self, file: str, text: str, name: str) -> list[Upload]:
        found = [Upload(it.name or "", it.read()) for it in self.cleaned_data.get(file) or []]
        if file in self.skipped:
            found.append(Upload(self.skipped[file], b"", skipped=True))
        pasted = self.cleaned_data.get(text) or ""
        if pasted.strip() and not found:
            plain = pasted.replace("\r\n", "\n") if self.typed_in_browser else pasted
            found.append(Upload(self.cleaned_data.get(name) or "", plain.encode("utf-8", "surrogatepass"), pasted=True))
        return found

    def refuse(self, refusal: UploadRefused) -> None:
        """Show each problem at its field and keep what was valid, because browsers forget uploaded files."""
        shown = {"source": "source", "language": "language", "strategy": "strategy"}
        for where, sentence in refusal.problems.items():
            self.add_error(shown.get(where), sentence)
        kept_data = self.data.copy()  # type: ignore[attr-defined]  # a QueryDict, and mutable from here on
        kept = {"source": ("filename", "pasted"), "strategy": ("strategy_filename", "strategy_text")}
        for where, (name, text) in refusal.good.items():
            name_field, text_field = kept[where]
            kept_data[name_field], kept_data[text_field] = name, text
        self.data = kept_data
