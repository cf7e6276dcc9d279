"""Addresses of stocktakes, of lists and figures, and of a member's own data."""

from django.urls import path

from loans import figures_views, privacy_views, stocktake_views

urlpatterns = [
    path("stocktake/", stocktake_views.index, name="stocktakes"),
    path("stocktake/<int:pk>/", stocktake_views.show, name="stocktake"),
    path("stocktake/<int:pk>/scan/", stocktake_views.scan, name="stocktake-scan"),
    path("stocktake/<int:pk>/close/", stocktake_views.close, name="stocktake-close"),
    path("stocktake/<int:pk>.csv", stocktake_views.as_file, name="stocktake-file"),
    path("stocktake/lines/<int:pk>/settle/", stocktake_views.settle, name="stocktake-settle"),
    path("figures/", figures_views.index, name="figures"),
    path("figures/<slug:key>/", figures_views.show, name="figure"),
    path("figures/<slug:key>.csv", figures_views.as_file, name="figure-file"),
    path("members/<int:pk>/data/", privacy_views.data, name="member-data"),
    path("members/<int:pk>/data.zip", privacy_views.data_file, name="member-data-file"),
    path("members/<int:pk>/erase/", privacy_views.erase, name="member-erase"),
    path("me/privacy/", privacy_views.mine, name="my-privacy"),
    path("me/data.zip", privacy_views.my_data_file, name="my-data-file"),
]
