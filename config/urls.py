"""Every address of the site: the public catalogue at the root, staff pages and the API beside it."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from catalogue.oai.views import provide
from catalogue.sru.views import serve
from config.accounts import SignIn

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/login/", SignIn.as_view(), name="login"),
    path("accounts/", include("django.contrib.auth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("catalogue/questions/", include("search.answer_urls")),
    path("catalogue/", include("catalogue.urls")),
    path("desk/", include("loans.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="api-schema"), name="api-docs"),
    path("api/catalogue/", include("catalogue.api_urls")),
    path("api/", include("loans.api_urls")),
    path("api/", include("search.api_urls")),
    path("oai", provide, name="oai"),
    path("sru", serve, name="sru"),
    path("", include("loans.urls_mail")),
    path("", include("search.urls")),
]

handler404 = "config.errors.not_found"
