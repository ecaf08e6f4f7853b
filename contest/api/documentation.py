"""The API's description: as a document, and as a page on which every address can be tried."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny


@extend_schema(exclude=True)
class SchemaView(SpectacularJSONAPIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()


@extend_schema(exclude=True)
class DocumentationView(SpectacularSwaggerSplitView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()
    url_name = "api-schema"
    template_name = "contest/api_documentation.html"
