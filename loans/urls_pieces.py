"""Addresses of counting, missing pieces, spare pieces and care; included by `loans.urls`."""

from django.urls import path

from loans import care_views, counting_views, label_views, pieces_views

urlpatterns = [
    path("counting/", counting_views.queue, name="counting"),
    path("count/<int:pk>/", counting_views.count, name="count"),
    path("count/<int:pk>/complete/", counting_views.complete, name="count-complete"),
    path("count/<int:pk>/missing/", counting_views.missing, name="count-missing"),
    path("count/<int:pk>/photo/", counting_views.photo, name="count-photo"),
    path("count/<int:pk>/photo/keep/", counting_views.keep_photo, name="count-keep-photo"),
    path("count/after/<int:pk>/complete/", counting_views.complete_after, name="count-complete-after"),
    path("count/after/<int:pk>/missing/", counting_views.missing_after, name="count-missing-after"),
    path("count/after/<int:pk>/later/", counting_views.later_after, name="count-later-after"),
    path("count/box/<int:pk>/", counting_views.box, name="count-box"),
    path("pieces/", pieces_views.missing_pieces, name="missing-pieces"),
    path("pieces/<int:pk>/", pieces_views.piece, name="missing-piece"),
    path("pieces/<int:pk>/decide/", pieces_views.decide, name="piece-decide"),
    path("pieces/<int:pk>/found/", pieces_views.found, name="piece-found"),
    path("pieces/<int:pk>/give-up/", pieces_views.give_up, name="piece-give-up"),
    path("pieces/<int:pk>/lost-with/", pieces_views.lost_with, name="piece-lost-with"),
    path("pieces/list/<int:pk>/", pieces_views.component_list, name="component-list"),
    path("pieces/box/<int:pk>/", pieces_views.box_differences, name="box-differences"),
    path("pieces/label/<int:pk>/", label_views.contents_label, name="contents-label"),
    path("spares/", pieces_views.spares, name="spares"),
    path("care/", care_views.care, name="care"),
    path("care/done/", care_views.done, name="care-done"),
    path("care/plans/", care_views.plans, name="care-plans"),
    path("care/plans/<int:pk>/end/", care_views.end_plan, name="care-plan-end"),
    path("care/box/<int:pk>/", care_views.box, name="care-box"),
]
